import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type HeldRows, pinnedRows } from './pinnedRows.ts'

/** Whether a mouse is over an element, a finger on it, or the keyboard focus in it. */
export function usePointed(element: RefObject<HTMLElement | null>): boolean {
  const [pointed, setPointed] = useState({ byPointer: false, byKeys: false })
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const ends = new AbortController()
    const on = (type: string, change: (event: Event) => Partial<typeof pointed>): void =>
      current.addEventListener(type, (event) => setPointed((before) => ({ ...before, ...change(event) })), {
        signal: ends.signal,
      })
    on('pointerenter', () => ({ byPointer: true }))
    on('pointerleave', () => ({ byPointer: false }))
    on('focusin', ({ target }) => ({ byKeys: target instanceof Element && target.matches(':focus-visible') }))
    on('focusout', () => ({ byKeys: false }))
    return () => ends.abort()
  }, [element])
  return pointed.byPointer || pointed.byKeys
}

const none: ReadonlySet<string> = new Set()

/** Rows in the order they had when pinning began. `of` identifies the list: nothing stays pinned when it changes. Null: never pinned. */
export function usePinned<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  of: string | null,
  isPointed: boolean,
): HeldRows<Row> {
  const base = useRef<{ of: string; rows: readonly Row[] } | null>(null)
  if (of === null || !isPointed || rows.length === 0) base.current = null
  else if (base.current?.of !== of) base.current = { of, rows }
  if (of === null || base.current === null) return { rows, gone: none }
  const held = pinnedRows(base.current.rows, rows, keyOf)
  base.current = { of, rows: held.rows.slice(0, base.current.rows.length) }
  return held
}
