import { useEffect, useState } from 'preact/hooks'
import { orders } from '../stream.ts'

/** Counts changes of the account's orders, all of `everyMs` as one: a read that depends on it is repeated that often at most. */
export function useOrderChanges(everyMs: number): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = orders((frame) => {
      if (frame?.type !== 'orders' || frame.data.kind === 'snapshot') return
      timer ??= setTimeout(() => {
        timer = undefined
        setCount((before) => before + 1)
      }, everyMs)
    })
    return () => {
      end()
      clearTimeout(timer)
    }
  }, [everyMs])
  return count
}
