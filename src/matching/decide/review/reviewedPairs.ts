// Pairs of markets as a reviewer sees them: both markets, their fields next to each other, and what the last run found.
import type { Market } from '#schemas/market'
import type { ReviewedMarket, ReviewedPair } from '#schemas/matchReview'
import { findMarketsByIds } from '#storage/postgres/catalog/findMarketsByIds'
import { findMatchWords, findStoredPairs, type StoredComparison } from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'
import { type MatchInput, marketKey } from '../../read/input.ts'
import { inputOf } from '../../read/marketInput.ts'
import { alignFields } from './alignFields.ts'

/** Market keys. */
export interface PairKeys {
  a: string
  b: string
}

/** Pairs of which the catalog still has both markets. */
export async function reviewedPairs(pool: Pool, examples: readonly PairKeys[]): Promise<ReviewedPair[]> {
  const refs = [...new Set(examples.flatMap(({ a, b }) => [a, b]))].map(splitKey)
  const [inputs, markets, stored] = await Promise.all([
    readInputs(pool, refs),
    findMarketsByIds<Market>(pool, refs),
    findStoredPairs(pool, examples),
  ])
  const docs = new Map(markets.map(({ venue, id, doc }) => [marketKey({ venue, marketId: id }), doc]))
  // Stored pairs have the smaller venue first, templates the smaller text.
  const compared = new Map<string, StoredComparison>()
  for (const pair of stored) compared.set(`${pair.a} ${pair.b}`, pair).set(`${pair.b} ${pair.a}`, pair)
  return examples.flatMap(({ a, b }) => {
    const [one, other, first, second] = [inputs.get(a), inputs.get(b), docs.get(a), docs.get(b)]
    if (one === undefined || other === undefined || first === undefined || second === undefined) return []
    const comparison = compared.get(`${a} ${b}`)
    return [
      {
        a: reviewedMarket(one, first),
        b: reviewedMarket(other, second),
        fields: alignFields(one, other),
        band: comparison?.band ?? null,
        differences: comparison?.differences.map(({ detail }) => detail) ?? [],
      },
    ]
  })
}

async function readInputs(
  pool: Pool,
  refs: readonly { venue: string; marketId: string }[],
): Promise<Map<string, MatchInput>> {
  const ids = Map.groupBy(refs, ({ venue }) => venue)
  const inputs = new Map<string, MatchInput>()
  for (const [venue, ofVenue] of ids) {
    const found = await findMatchWords(
      pool,
      venue,
      ofVenue.map(({ marketId }) => marketId),
    )
    for (const { id, words } of found) {
      const input = inputOf(venue, id, words)
      if (input !== null) inputs.set(marketKey(input), input)
    }
  }
  return inputs
}

const reviewedMarket = (
  { venue, marketId }: MatchInput,
  { title, url, outcomes, openInterest }: Market,
): ReviewedMarket => ({
  ...{ venue, marketId, title, url, openInterest },
  outcomes: outcomes.map(({ outcomeId, label, price }) => ({ outcomeId, label, price })),
})

const splitKey = (key: string): { venue: string; marketId: string } => {
  const colon = key.indexOf(':')
  return { venue: key.slice(0, colon), marketId: key.slice(colon + 1) }
}
