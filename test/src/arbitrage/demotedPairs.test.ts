// A verified pair whose prices have differed for an hour, from the matcher's row to the rows of the surface.
import { expect, test } from 'vitest'
import { compileSurface } from '#arbitrage/compileSurface'
import { RowEncoder } from '#arbitrage/encodeRow'
import { clusterInput } from '#arbitrage/pairsFromMatches'
import { rowOf } from '#arbitrage/row'
import { Surface } from '#arbitrage/surface'
import { demotePieces, pairKeyOf } from '#matching/decide/priceReview/demote'
import type { ArbitrageRow } from '#schemas/arbitrage'
import type { Market } from '#schemas/market'
import { type MatchPairRow, matchOfRow } from '#storage/postgres/matching/index'
import { kalshi } from '#venues/kalshi/index'
import { polymarket } from '#venues/polymarket/index'
import { bookKey, SampleBooks } from './worlds.ts'

const now = Date.UTC(2026, 10, 30)
const ticker = 'KXKROLL-27-MK'
const outcomes = { kalshi: [ticker, `${ticker}-NO`], polymarket: ['7'.repeat(77), '8'.repeat(77)] } as const
const fees = { kalshi: { fees: { takerRate: 0.07, multiplier: 1 } }, polymarket: { feesEnabled: false } } as const
const venues = {
  kalshi: { data: kalshi.data, synthetic: false },
  polymarket: { data: polymarket.data, synthetic: false },
}

const marketOf = (venue: 'kalshi' | 'polymarket') =>
  ({
    marketId: ticker,
    outcomes: ['Yes', 'No'].map((label, at) => ({ outcomeId: outcomes[venue][at], label })),
    sourceMetadata: fees[venue],
  }) as unknown as Market

const verified: MatchPairRow = {
  ...{ a_venue: 'kalshi', a_market_id: ticker, b_venue: 'polymarket', b_market_id: '101', cluster_id: 'm_1' },
  ...{ score: 100, band: 'verified', polarity: 'same', relation: 'identity', relation_band: 'verified' },
  differences: [],
  resolution: { compatible: true, reason: 'nothing contradicts', auditReasons: [] },
  ...{ resolution_equivalence: 'verified', override: null },
}

async function demoted(row: MatchPairRow): Promise<MatchPairRow> {
  async function* pieces() {
    yield { kind: 'pairs' as const, rows: [row] }
  }
  for await (const piece of demotePieces(pieces(), new Map([[pairKeyOf(row), now - 3_600_000]])))
    if (piece.kind === 'pairs') return piece.rows[0]!
  throw new Error('no pairs')
}

/** The row that buys Yes on Kalshi at 0.40 and No on Polymarket at 0.40, as read and as sent. */
function rowsOf(pair: MatchPairRow): { read: ArbitrageRow; sent: ArbitrageRow } {
  const [a, b] = [{ venue: 'kalshi', marketId: ticker } as const, { venue: 'polymarket', marketId: '101' } as const]
  const members = [a, b].map((ref) => ({ ...ref, polarity: 'same' as const }))
  const input = clusterInput(
    { clusterId: 'm_1', question: 'Will it?', members, pairs: [matchOfRow(pair)] },
    {
      venueOf: (venue) => venues[venue as keyof typeof venues],
      marketOf: (venue) => marketOf(venue as keyof typeof venues),
    },
  )
  const books = new SampleBooks(10)
  const book = (venue: string, bookId: string, bid: number, ask: number) => {
    const levels = (micros: number) => [{ micros, size: '500' }]
    books.set({ key: bookKey(venue, bookId), bids: levels(bid), asks: levels(ask), state: 'live', asOf: now })
  }
  book('kalshi', ticker, 380_000, 400_000)
  book('polymarket', outcomes.polymarket[0], 600_000, 620_000)
  book('polymarket', outcomes.polymarket[1], 380_000, 400_000)
  const compiled = compileSurface([input], { contracts: 100, limit: 10, slotOf: books.slotOf })
  const surface = Surface.alone(compiled.plan, books.arena)
  surface.pass()
  const at = compiled.rowFacts.findIndex(({ key }) => key === 'm_1:kalshi:polymarket')
  const encoder = new RowEncoder(compiled, surface.table)
  const sent = JSON.parse(encoder.scratch.toString('utf8', 0, encoder.encode(at))) as ArbitrageRow
  return { read: rowOf(compiled, surface.table, at), sent }
}

test('its rows are no arbitrage and name the reason', async () => {
  const before = rowsOf(verified)
  expect(before.read).toMatchObject({ executable: true, label: 'arbitrage', reasons: [] })
  expect(before.sent).toEqual(before.read)
  const after = rowsOf(await demoted(verified))
  expect(after.read).toMatchObject({
    ...{ executable: false, label: 'indicative price discrepancy', matchBand: 'minor' },
    ...{ resolutionEquivalence: 'unverified', reasons: ['resolution_not_verified', 'prices_differ'] },
    matchDifferences: [{ kind: 'market_prices' }],
    netEdge: before.read.netEdge,
  })
  expect(after.read.resolution.reason).toContain('since 2026-11-29T23:00:00.000Z')
  expect(after.sent).toEqual(after.read)
})

test('a pin by an operator keeps them as they are', async () => {
  const pinned = rowsOf(await demoted({ ...verified, override: 'pinned' }))
  expect(pinned.read).toMatchObject({ executable: true, label: 'arbitrage', reasons: [] })
})
