// Pascal's socket: the whole book of a market first, then each level that changes.
import type { Clock } from '#core/clock'
import type { Counters } from '../counters.ts'
import type { LabFeed, VenueCore } from '../restVenue.ts'
import type { LabSocket } from '../socket.ts'
import { Topics } from '../topics.ts'
import type { PascalListing } from './marketGenerator.ts'
import { bookRow, decimal } from './rows.ts'
import type { States } from './states.ts'

export function pascalFeed(
  core: () => VenueCore,
  counters: Counters,
  listing: PascalListing,
  { states, clock }: { states: States; clock: Clock },
): LabFeed {
  const byKey = new Map(listing.markets.map((market) => [market.key, market]))
  const frame = (symbol: string, type: string, data: unknown, stateMs: number): string =>
    JSON.stringify({ channel: 'book', symbol, type, data, ...states.stamp(stateMs, clock.now()) })
  const topics = new Topics({
    counters,
    faults: () => core().faults(),
    formatters: {
      level(live, side, index) {
        const { symbol } = byKey.get(live.id)!
        states.next(live.eventTs)
        const level = [decimal(live.book.grid.prices[index]!), String(live.book.at(side, index) / 100)]
        const data = side === 0 ? { asks: [], bids: [level] } : { asks: [level], bids: [] }
        return [[symbol, () => frame(symbol, 'update', data, live.eventTs)]]
      },
    },
  })

  function subscribe(socket: LabSocket, symbol: string): void {
    const market = listing.bySymbol.get(symbol)
    const { faults, engine, isKnown } = core()
    if (market === undefined || !isKnown(market.key)) {
      const data = { code: 'SYMBOL_NOT_FOUND', message: `symbol not found: symbol=${symbol}` }
      socket.control(frame(symbol, 'error', data, states.atMs))
      return
    }
    topics.subscribe(socket, symbol, symbol)
    if (faults().withholdsBooks(market.key)) return
    const truth = faults().staleTruth(market.key, 'ws') ?? engine.market(market.key)!.truth()
    socket.data(frame(symbol, 'snapshot', bookRow(truth), truth.eventTs))
  }

  return {
    listener: topics,
    isPath: (path) => path === '/ws',
    open: (socket) => ({
      message(text) {
        for (const symbol of requestedSymbols(text)) subscribe(socket, symbol)
      },
      closed: () => topics.leave(socket),
    }),
  }
}

/** Symbols whose books are requested. */
function requestedSymbols(text: string): string[] {
  try {
    const request = JSON.parse(text) as { type?: unknown; channels?: unknown } | null
    if (request?.type !== 'subscribe' || !Array.isArray(request.channels)) return []
    return (request.channels as { channel?: unknown; symbol?: unknown }[]).flatMap(({ channel, symbol }) =>
      channel === 'book' && typeof symbol === 'string' ? [symbol] : [],
    )
  } catch {
    return []
  }
}
