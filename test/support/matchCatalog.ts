// A small catalog on two venues for tests of the matcher: questions listed twice, written by the real catalog into a real database.

import { systemClock } from '#core/clock'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { demotePieces, pairKeyOf } from '#matching/decide/priceReview/demote'
import type { Market } from '#schemas/market'
import { latestRunId, writePriceGaps, writeRun } from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'
import { insertRun } from '#storage/postgres/runLog'
import { eventOf, marketOf } from '#test/src/server/http/rows'

export interface Listed {
  venue: 'polymarket' | 'kalshi'
  id: string
  title: string
  rules?: string
  status?: 'active' | 'closed'
  price?: number
  /** Of Yes; default: none. */
  quote?: { bid: number; ask: number }
  /** Markets of one venue that name the same event belong to it. */
  event?: string
}

/** Writes each market as an event of its own, or in the event it names; writing it again replaces it. */
export async function listMarkets(pool: Pool, rows: readonly Listed[]): Promise<void> {
  const catalog = createPostgresCatalog(pool, { clock: systemClock })
  const together = new Map<string, Market[]>()
  for (const {
    event,
    venue,
    id,
    title,
    rules = 'It resolves by the list of the prize.',
    status = 'active',
    price = 0.4,
    quote,
  } of rows) {
    const outcomes: [string, string] = venue === 'kalshi' ? [id, `${id}-NO`] : [`1${id}`, `2${id}`]
    const market = marketOf(venue, id, outcomes, { title, description: rules, status, sourceMetadata: {} })
    market.outcomes[0]!.price = price
    if (quote !== undefined) Object.assign(market.outcomes[0]!, { bestBid: quote.bid, bestAsk: quote.ask })
    market.outcomes[1]!.price = 1 - price
    const name = `${venue}:${event ?? id}`
    together.set(name, [...(together.get(name) ?? []), market])
  }
  for (const markets of together.values()) {
    const venue = markets[0]!.sourceExchange
    const event = eventOf(venue, markets)
    for (const market of markets) market.eventId = event.id
    const sourceMetadata = { ...event.sourceMetadata, mutuallyExclusive: true }
    await catalog.upsertEvents(venue, [{ ...event, title: '', sourceMetadata }], [], systemClock.now())
  }
}

/** Two true pairs, and one that only looks like a pair. */
export const prizes: readonly Listed[] = [
  { venue: 'kalshi', id: 'KXKROLL-27-MK', title: 'Will Maria Keller win the 2027 Kroll Prize?' },
  { venue: 'polymarket', id: '101', title: 'Will Maria Keller win the 2027 Kroll Prize?' },
  { venue: 'kalshi', id: 'KXKROLL-27-JL', title: 'Will Jonas Lind win the 2027 Kroll Prize?' },
  { venue: 'polymarket', id: '102', title: 'Will Jonas Lind win the 2027 Kroll Prize?' },
  { venue: 'polymarket', id: '103', title: 'Will Ohio legalize mead by June 30, 2027?' },
  { venue: 'kalshi', id: 'KXMEAD-27', title: 'Will Texas tax honey in 2027?' },
]

const pairs: readonly (readonly [string, string])[] = [
  ['KXKROLL-27-MK', '101'],
  ['KXKROLL-27-JL', '102'],
  ['KXMEAD-27', '103'],
]

/** Each pair of prizes as verified: the last of them by mistake. */
export async function* verifiedPrizes() {
  yield {
    kind: 'pairs' as const,
    rows: pairs.map(([a, b]) => ({
      a_venue: 'kalshi',
      a_market_id: a,
      b_venue: 'polymarket',
      b_market_id: b,
      cluster_id: null,
      score: 97,
      band: 'verified' as const,
      polarity: 'same' as const,
      relation: 'identity' as const,
      relation_band: 'verified' as const,
      differences: [],
      resolution: { compatible: true, reason: 'nothing contradicts', auditReasons: [] },
      resolution_equivalence: 'verified',
      override: null,
    })),
  }
}

/** The prizes, with a matcher run that matched each pair: the last of them by mistake. */
export async function listVerifiedPrizes(pool: Pool): Promise<void> {
  await listMarkets(pool, prizes)
  const run = await insertRun(pool, 'matcher.run', 1_790_000_000_000)
  await writeRun(pool, { run, basedOn: null, overrideId: '0' }, verifiedPrizes(), () => ({
    finishedAt: 1_790_000_001_000,
    counts: {},
  }))
}

/** A run that demoted these verified pairs because their prices differ. `at`: when each was demoted, epoch ms. */
export async function writeDemoted(
  pool: Pool,
  demoted: readonly { kalshi: string; polymarket: string; at: number; excess?: number }[],
): Promise<void> {
  const gaps = demoted.map(({ kalshi, polymarket, at, excess = 0.05 }) => ({
    ...{ a_venue: 'kalshi', a_market_id: kalshi, b_venue: 'polymarket', b_market_id: polymarket },
    ...{ since: new Date(at - 3_600_000), seen_at: new Date(at), excess, demoted_at: new Date(at) },
  }))
  await writePriceGaps(pool, gaps)
  const run = await insertRun(pool, 'matcher.run', 1_790_000_000_000)
  const demotions = new Map(gaps.map((gap) => [pairKeyOf(gap), gap.since.getTime()]))
  const written = { run, basedOn: await latestRunId(pool), overrideId: '0' }
  await writeRun(pool, written, demotePieces(verifiedPrizes(), demotions), () => ({
    finishedAt: 1_790_000_001_000,
    counts: {},
  }))
}
