// The best bid or offer of a market's first outcome in a list: from its live book once there is one, otherwise from the catalog.
import { useEffect, useState } from 'preact/hooks'
import type { Market } from '#schemas/market'
import { type BookState, nextBook, none } from '../lib/bookState.ts'
import { format } from '../lib/format.ts'
import { bookOf } from '../lib/stream.ts'

/** Rows that only pass by while the list is scrolled are not subscribed to. */
const restsMs = 400

export function Quote({ market, side }: { market: Market; side: 'bids' | 'asks' }) {
  const [first] = market.outcomes
  const { sourceExchange: venue, status } = market
  const outcomeId = status === 'active' ? first?.outcomeId : undefined
  const book = useTop(venue, outcomeId)
  // A stale book is not shown: the page states the time of the catalog's price.
  const isLive = book !== null && book.staleBecause === null
  const price = isLive ? book[side][0]?.price : side === 'bids' ? first?.bestBid : first?.bestAsk
  return <span title={isLive ? 'live book' : 'catalog'}>{format.price(price)}</span>
}

function useTop(venue: string, outcomeId: string | undefined): BookState['book'] {
  const [state, setState] = useState<BookState>(none)
  useEffect(() => {
    setState(none)
    if (outcomeId === undefined) return
    let end: (() => void) | undefined
    const begin = (): void => {
      end = bookOf(venue, outcomeId, 1, (frame) => setState((before) => nextBook(before, frame)))
    }
    const timer = setTimeout(begin, restsMs)
    return () => {
      clearTimeout(timer)
      end?.()
    }
  }, [venue, outcomeId])
  return state.book
}
