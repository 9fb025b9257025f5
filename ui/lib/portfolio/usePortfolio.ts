import { useEffect, useState } from 'preact/hooks'
import { portfolio } from '../stream.ts'
import { applyPortfolio, emptyPortfolio, type PortfolioState } from './portfolioState.ts'

export interface LivePortfolio extends PortfolioState {
  /** Why the rows are stale or unavailable; null: they are live, or awaited. */
  staleBecause: string | null
}

const lost = 'the connection to the stream is lost'
const incomplete = 'a change was missed; everything is read again'

/** The account's positions and totals from the stream. */
export function usePortfolio(): LivePortfolio {
  const [state, setState] = useState<LivePortfolio>({ ...emptyPortfolio, staleBecause: null })
  const [round, setRound] = useState(0)
  // A new round subscribes again
  useEffect(
    () =>
      portfolio((frame) => {
        if (frame === null) setState((before) => ({ ...before, seq: null, parts: [], staleBecause: lost }))
        else if (frame.type === 'error') setState((before) => ({ ...before, staleBecause: frame.message }))
        else if (frame.type === 'portfolio')
          setState((before) => {
            const next = applyPortfolio(before, frame.data)
            if (next.missed) return { ...next, staleBecause: incomplete }
            return { ...next, staleBecause: next.seq === null ? before.staleBecause : null }
          })
      }),
    [round],
  )
  const { missed } = state
  useEffect(() => {
    if (missed) setRound((before) => before + 1)
  }, [missed])
  return state
}
