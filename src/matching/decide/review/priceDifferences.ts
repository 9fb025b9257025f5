// The review of pairs whose prices differ, in PostgreSQL: their list, and an operator's override of one of them.
import { Fault } from '#core/fault'
import type { PairOverride, PriceDifference } from '#schemas/matchReview'
import {
  type DemotedPair,
  type DemotedPairPosition,
  findActiveOverride,
  findDemotedPairs,
  findDemotedPolarity,
  inPairOrder,
  insertOverride,
  type OverrideCommand,
} from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'
import { marketKey } from '../../read/input.ts'
import type { PriceDecision, PriceDifferencePage, ReviewedSides } from './ports.ts'
import { type PairKeys, reviewedPairs } from './reviewedPairs.ts'

export async function listPriceDifferences(
  pool: Pool,
  after: DemotedPairPosition | null,
  limit: number,
): Promise<PriceDifferencePage> {
  const rows = await findDemotedPairs(pool, after, limit + 1)
  const page = rows.slice(0, limit)
  const reviewed = await reviewedPairs(pool, page.map(keysOf))
  const found = new Map(reviewed.map((pair) => [`${marketKey(pair.a)} ${marketKey(pair.b)}`, pair]))
  const differences = page.flatMap((row): PriceDifference[] => {
    const { a, b } = keysOf(row)
    const pair = found.get(`${a} ${b}`)
    if (pair === undefined) return []
    return [
      {
        ...pair,
        polarity: row.polarity,
        quotes: { a: { bid: row.a_bid, ask: row.a_ask }, b: { bid: row.b_bid, ask: row.b_ask } },
        since: row.since.toISOString(),
        demotedAt: row.demoted_at.toISOString(),
        observedAt: row.seen_at.toISOString(),
        excess: row.excess,
      },
    ]
  })
  return { differences, next: rows.length > limit ? positionOf(page.at(-1)!) : null }
}

const keysOf = ({ a_venue, a_market_id, b_venue, b_market_id }: DemotedPair): PairKeys => ({
  a: marketKey({ venue: a_venue, marketId: a_market_id }),
  b: marketKey({ venue: b_venue, marketId: b_market_id }),
})

const positionOf = ({ demoted_at, a_venue, a_market_id, b_venue, b_market_id }: DemotedPair): DemotedPairPosition => {
  return { demoted_at: demoted_at.toISOString(), a_venue, a_market_id, b_venue, b_market_id }
}

const defaultReason = 'their prices differ, and they were reviewed'

export async function reviewPriceDifference(
  pool: Pool,
  { a, b }: ReviewedSides,
  { action, reason, by, recordedBy }: PriceDecision,
): Promise<PairOverride> {
  const [first, second] = inPairOrder(a, b)
  const sides = {
    ...{ a_venue: first.venue, a_market_id: first.marketId },
    ...{ b_venue: second.venue, b_market_id: second.marketId },
  }
  const polarity = await findDemotedPolarity(pool, sides)
  if (polarity === null) throw new Fault('NOT_FOUND', 'no such pair was demoted because of its prices')
  const active = await findActiveOverride(pool, { a, b })
  const setBy = by === recordedBy ? by : `${by} (${recordedBy})`
  if (action === 'withdraw' && active === null) throw new Fault('NOT_FOUND', 'the pair is neither pinned nor forbidden')
  // Sent twice.
  if (active !== null && active.action === action && active.setBy === setBy && reason === undefined)
    return shown(active)
  return shown(
    await insertOverride(pool, {
      ...{ a: first, b: second, action, polarity: action === 'pin' ? polarity : null },
      ...{ reason: reason ?? defaultReason, setBy },
    }),
  )
}

const shown = ({ id, a, b, action, polarity, reason, setBy, setAt }: OverrideCommand): PairOverride => {
  return { id, a, b, action, polarity, reason, setBy, setAt: setAt.toISOString() }
}
