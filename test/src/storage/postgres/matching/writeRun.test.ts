import { describe, expect, test } from 'vitest'
import { readRelations } from '#matching/candidateIndex'
import {
  type ClusterRow,
  type EventRelationRow,
  type MatchPairRow,
  type MatchPiece,
  writeRun,
} from '#storage/postgres/matching/index'
import { findRuns, insertRun } from '#storage/postgres/runLog'
import { withPostgres } from '#test/support/postgres'
import { findClusters } from '#test/support/storedClusters'

const postgres = withPostgres()

const cluster = (id: string, ...members: string[]): ClusterRow => ({
  id,
  question: `Question ${id}?`,
  members: members.map((member) => {
    const [venue = '', market_id = ''] = member.split(':')
    return { venue, market_id, polarity: 'same' }
  }),
})
const pair = (id: string | null, a: string, b: string, extra: Partial<MatchPairRow> = {}): MatchPairRow => ({
  a_venue: 'kalshi',
  a_market_id: a,
  b_venue: 'polymarket',
  b_market_id: b,
  cluster_id: id,
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

async function* piecesOf(...pieces: MatchPiece[]): AsyncIterable<MatchPiece> {
  yield* pieces
}

async function write(
  clusters: ClusterRow[],
  pairs: MatchPairRow[],
  basedOn: string | null,
  relations: EventRelationRow[] = [],
) {
  const run = await insertRun(postgres.pool, 'matcher.run', 1_790_000_000_000)
  const pieces = piecesOf(
    { kind: 'clusters', rows: clusters },
    { kind: 'pairs', rows: [] },
    { kind: 'pairs', rows: pairs },
    { kind: 'relations', rows: relations },
  )
  await writeRun(postgres.pool, { run, basedOn, overrideId: '0' }, pieces, () => ({
    finishedAt: 1_790_000_001_000,
    counts: { clusters: clusters.length },
  }))
  return run.id
}

describe('a run', () => {
  test('replaces the previous run: members move, removed rows are deleted, unchanged rows are not written', async () => {
    const { pool } = postgres
    expect(await findClusters(pool)).toEqual({ runId: null, clusters: [] })
    const first = await write(
      [cluster('c_1', 'kalshi:A', 'polymarket:1'), cluster('c_2', 'kalshi:B', 'polymarket:2')],
      [pair('c_1', 'A', '1'), pair('c_2', 'B', '2')],
      null,
    )
    const stamps = async () =>
      (await pool.query('SELECT a_market_id AS id, updated_at FROM match_pairs ORDER BY 1')).rows
    const [a] = await stamps()
    const second = await write(
      [cluster('c_1', 'kalshi:A', 'polymarket:1'), cluster('c_3', 'kalshi:C', 'polymarket:2')],
      [pair('c_1', 'A', '1'), pair('c_3', 'C', '2', { score: 80, band: 'minor', differences: [] })],
      first,
    )
    const { runId, clusters } = await findClusters(pool)
    expect(runId).toBe(second)
    expect(clusters.map(({ clusterId, members }) => [clusterId, members.map(({ marketId }) => marketId)])).toEqual([
      ['c_1', ['A', '1']],
      ['c_3', ['C', '2']],
    ])
    expect(clusters[1]!.pairs).toMatchObject([{ score: 80, band: 'minor', a: { venue: 'kalshi', marketId: 'C' } }])
    expect((await stamps())[0]).toEqual(a)
    expect(await findRuns(pool, 'matcher.run', 1)).toMatchObject([{ id: second, ok: true, counts: { clusters: 2 } }])
  })

  test('changes nothing when it fails half way', async () => {
    const { pool } = postgres
    const before = await findClusters(pool)
    const run = await insertRun(pool, 'matcher.run', 0)
    async function* broken(): AsyncIterable<MatchPiece> {
      yield { kind: 'clusters', rows: [cluster('c_9', 'kalshi:Z', 'polymarket:9')] }
      throw new Error('the thread died')
    }
    const end = () => ({ finishedAt: 1, counts: {} })
    await expect(writeRun(pool, { run, basedOn: before.runId, overrideId: '0' }, broken(), end)).rejects.toThrow('died')
    await expect(write([], [], 'some other run')).rejects.toThrow('another process stored run')
    expect(await findClusters(pool)).toEqual(before)
  })

  test('accepts texts that a venue cut in the middle of a character', async () => {
    const { pool } = postgres
    const { runId } = await findClusters(pool)
    const broken = { ...cluster('c_1', 'kalshi:A', 'polymarket:1'), question: 'Goal ⚽️ \ud83d' }
    const detail = 'half \udc00 and \0 nothing'
    await write([broken], [pair('c_1', 'A', '1', { differences: [{ kind: 'x', detail, points: 3 }] })], runId)
    const [stored] = (await findClusters(pool)).clusters
    expect(stored!.question).toBe('Goal ⚽️ \ufffd')
    expect(stored!.pairs[0]!.differences[0]!.detail).toBe('half \ufffd and  nothing')
  })
})

test('returns all pages of clusters in order and from one run, even while the next one is being written', async () => {
  const { pool } = postgres
  const rows = Array.from({ length: 600 }, (_, at) => {
    const id = String(at).padStart(4, '0')
    return cluster(`c_${id}`, `kalshi:K${id}`, `polymarket:${id}`)
  })
  const pairs = rows.map(({ id }) => pair(id, `K${id.slice(2)}`, id.slice(2)))
  const first = await write(rows, pairs, (await findClusters(pool)).runId)
  const reads = [findClusters(pool), write(rows.slice(300), pairs.slice(300), first), findClusters(pool)] as const
  for (const found of [await reads[0], await reads[2], await findClusters(pool)]) {
    expect(found.clusters).toHaveLength(found.runId === first ? 600 : 300)
    expect(found.clusters.every(({ members, pairs: own }) => members.length === 2 && own.length === 1)).toBe(true)
    expect(found.clusters.map(({ clusterId }) => clusterId)).toEqual(
      found.clusters.map(({ clusterId }) => clusterId).toSorted(),
    )
  }
  await reads[1]
})

test('reads relations of one run, each with its own band, without forbidden or unknown pairs', async () => {
  const { pool } = postgres
  const { runId: before } = await readRelations(pool)
  const event = (id: string): EventRelationRow => ({
    id,
    venue: 'kalshi',
    event_id: 'E',
    relation: { id, band: 'verified', kind: 'a_implies_b', a: 'kalshi:T2', b: 'kalshi:T1' },
  })
  const pairs = [
    pair(null, 'A', '1'),
    pair(null, 'B', '2', { relation: 'subset', relation_band: 'minor', band: 'material', score: 55 }),
    pair(null, 'C', '3', { relation: 'disjoint', relation_band: 'verified', band: 'material', score: 40 }),
    pair(null, 'D', '4', {
      relation: 'overlap',
      relation_band: 'minor',
      band: 'minor',
      score: 80,
      polarity: 'inverse',
    }),
    pair(null, 'E', '5', { relation: 'overlap', relation_band: null, band: 'material', score: 60 }),
    pair(null, 'F', '6', { override: 'forbidden' }),
    pair(null, 'G', '7', { relation: 'superset', relation_band: 'verified' }),
  ]
  const runId = await write([], pairs, before, [event('event:kalshi:E:1'), event('event:kalshi:E:2')])
  const read = await readRelations(pool)
  expect(read.runId).toBe(runId)
  expect(read.relations.map(({ id, band, kind }) => [id, band, kind])).toEqual([
    ['pair:kalshi:A~polymarket:1', 'verified', 'same'],
    ['pair:kalshi:B~polymarket:2', 'minor', 'a_implies_b'],
    ['pair:kalshi:C~polymarket:3', 'verified', 'exclusive'],
    ['pair:kalshi:D~polymarket:4', 'minor', 'inverse'],
    ['pair:kalshi:G~polymarket:7', 'verified', 'b_implies_a'],
    ['event:kalshi:E:1', 'verified', 'a_implies_b'],
    ['event:kalshi:E:2', 'verified', 'a_implies_b'],
  ])
  await write([], [], runId, [event('event:kalshi:E:2')])
  expect((await readRelations(pool)).relations.map(({ id }) => id)).toEqual(['event:kalshi:E:2'])
})
