// Xo's objects: markets as in lists and single reads, and books.
import type { EngineMarket, MarketTruth } from '../engine/market.ts'
import type { XoMarket } from './marketGenerator.ts'

const statusWords = { open: 'ACTIVE', closed: 'CANCELLED', resolved: 'RESOLVED' } as const
const iso = (ms: number): string => new Date(ms).toISOString()
/** 18 decimals. */
const weiOf = (micros: number): string => (BigInt(micros) * 10n ** 12n).toString()

/** As in a list, which omits tokens. */
export function listedRow(market: XoMarket, live: EngineMarket) {
  const { outcomes, ...row } = marketRow(market, live)
  return { ...row, outcomes: outcomes.map(({ outcomeTokenId: _, ...outcome }) => outcome) }
}

export function marketRow({ id, catalog, event, tokens, isNamed }: XoMarket, live: EngineMarket) {
  const mid = live.midMicros()
  const names = catalog.opposite === 'No' ? ['Yes', 'No'] : [catalog.label, catalog.opposite]
  const outcomes = tokens.map((outcomeTokenId, n) => ({
    id: id * 10 + n,
    outcomeTokenId,
    title: isNamed ? names[n]! : null,
    name: null,
    price: weiOf(n === 0 ? mid : 1_000_000 - mid),
  }))
  return {
    id,
    slug: `${event.key}-${catalog.code}`.toLowerCase(),
    title: catalog.question,
    description: event.rules,
    status: statusWords[live.status],
    type: 'BINARY',
    startsAt: iso(event.createdMs),
    expiresAt: iso(event.endMs),
    resolvedAt: live.status === 'resolved' ? iso(live.statusAtMs) : null,
    outcomes,
    totalVolumeInUSD: String(live.volumeHundredths / 100),
    winningOutcomeId: live.result === null ? null : outcomes[live.result === 'yes' ? 0 : 1]!.id,
  }
}

/** On the scale of the token: the second one's bids are the engine's asks. */
export function sidesOf(market: XoMarket, token: string, { bids, asks, eventTs }: MarketTruth): MarketTruth {
  if (token === market.tokens[0]) return { bids, asks, eventTs }
  const mirror = (side: MarketTruth['bids']): MarketTruth['bids'] =>
    side.map(([price, size]) => [1_000_000 - price, size])
  return { bids: mirror(asks), asks: mirror(bids), eventTs }
}

const levels = (side: MarketTruth['bids']) =>
  side.map(([price, size]) => ({ price: String(price / 1_000_000), size: String(size) }))

/** Worst first, like the older venue it derives from. */
export const bookRow = ({ bids, asks }: MarketTruth) => ({
  bids: levels(bids).toReversed(),
  asks: levels(asks).toReversed(),
})
