import { expect, test } from 'vitest'
import { demotePieces, pairKeyOf } from '#matching/decide/priceReview/demote'
import type { MatchPairRow, MatchPiece } from '#storage/postgres/matching/index'

const row = (extra: Partial<MatchPairRow> = {}): MatchPairRow => ({
  ...{ a_venue: 'kalshi', a_market_id: 'A', b_venue: 'polymarket', b_market_id: '1', cluster_id: 'c_1' },
  score: 97,
  band: 'verified',
  polarity: 'same',
  relation: 'identity',
  relation_band: 'verified',
  differences: [{ kind: 'date', detail: 'only kalshi names a date', points: 3 }],
  resolution: { compatible: true, reason: 'nothing contradicts', auditReasons: [] },
  resolution_equivalence: 'verified',
  override: null,
  ...extra,
})

async function demoted(...rows: MatchPairRow[]): Promise<MatchPairRow[]> {
  async function* pieces(): AsyncIterable<MatchPiece> {
    yield { kind: 'clusters', rows: [] }
    yield { kind: 'pairs', rows }
  }
  const found: MatchPairRow[] = []
  for await (const piece of demotePieces(pieces(), new Map([[pairKeyOf(row()), Date.UTC(2026, 10, 1)]])))
    if (piece.kind === 'pairs') found.push(...piece.rows)
  return found
}

test('a verified pair whose prices differ becomes minor, with the reason, and points that still add up', async () => {
  const [lowered] = await demoted(row())
  expect(lowered).toMatchObject({
    ...{ cluster_id: 'c_1', score: 89, band: 'minor', relation: 'overlap', relation_band: 'minor' },
    differences: [
      { kind: 'date', points: 3 },
      { kind: 'market_prices', points: 8 },
    ],
    resolution: { compatible: true, auditReasons: ['nothing contradicts'] },
    resolution_equivalence: 'unverified',
  })
  expect(lowered!.resolution.reason).toContain('since 2026-11-01T00:00:00.000Z')
  const points = lowered!.differences.reduce((sum, difference) => sum + difference.points, 0)
  expect(points).toBe(100 - lowered!.score!)
})

test('other pairs, pairs of another band, and those that an operator decided on stay as they are', async () => {
  const rows = [
    row({ b_market_id: '2' }),
    row({ band: 'minor', score: 80 }),
    row({ override: 'pinned', score: 100, differences: [] }),
    row({ override: 'forbidden' }),
  ]
  expect(await demoted(...rows)).toEqual(rows)
})
