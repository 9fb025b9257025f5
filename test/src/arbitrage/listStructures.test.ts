import { describe, expect, it } from 'vitest'
import type { StructureRow } from '#schemas/structures'
import { createWorld, keys } from '#test/src/server/http/world'

const row = (id: string, words: Partial<StructureRow> = {}): StructureRow => ({
  id,
  kind: 'implication',
  legs: ['kalshi', 'polymarket'].map((venue) => ({
    ...{ market: `${venue}:${id}`, venue, title: id, side: 'yes' as const, contracts: 10, price: 0.4, limitPrice: 0.4 },
    ...{ cost: 4, fee: 0, payout: 10, executable: true, reasons: [], asOf: null },
  })),
  ...{ contracts: 10, worstPayout: 10, capital: 8, edge: 2, roi: 0.25 },
  ...{ relations: [], weakest: null, executable: true, reasons: [], proven: true, asOf: null },
  ...words,
})
const counts = {
  sets: 2,
  markets: 4,
  searched: 1,
  complete: false,
  overLimit: 0,
  refusedSets: {},
  refusedMarkets: { tick_unknown: 1 },
}
const rows = [
  row('c', { edge: 1 }),
  row('a'),
  row('b', { edge: 5, executable: false, reasons: ['relation_not_verified'] }),
  row('d', { kind: 'partition', edge: 3, legs: [row('d').legs[0]!] }),
  row('e'),
  row('f', { kind: 'equality', edge: 9 }),
]
const path = '/v1/arbitrage/structures'
const paying = { key: keys.builder }
const world = createWorld({
  structures: { view: { state: () => ({ rows, computedAt: 1_790_000_000_000, counts }) } },
})
const idsOf = async (query: string): Promise<string[]> => {
  const { status, json, text } = await world.get(`${path}${query}`, paying)
  expect(status, text).toBe(200)
  return json.data.map(({ id }: StructureRow) => id)
}

describe('GET /v1/arbitrage/structures', () => {
  it('returns executable structures first, then by edge, and the search progress', async () => {
    const { json } = await world.get(path, paying)
    expect(json.data.map(({ id }: StructureRow) => id)).toEqual(['d', 'a', 'e', 'c', 'b'])
    expect(json).toMatchObject({ asOf: '2026-09-21T14:13:20.000Z', meta: counts, nextCursor: null })
  })

  it('has no asOf before the first search', async () => {
    const nothing = createWorld({ structures: { view: { state: () => ({ rows: [], computedAt: null, counts }) } } })
    expect((await nothing.get(path, paying)).json).toMatchObject({ data: [], asOf: null })
  })

  it.each([
    ['?executableOnly=true', ['d', 'a', 'e', 'c']],
    ['?kind=partition', ['d']],
    ['?kind=equality', ['f']],
    ['?kind=equality,partition', ['f', 'd']],
    ['?kind=partition,ladder', ['d']],
    ['?minEdge=2.5', ['d', 'b']],
    ['?venues=kalshi', ['d']],
    ['?venues=kalshi,Polymarket&limit=2', ['d', 'a']],
  ])('%s', async (query, ids) => expect(await idsOf(query)).toEqual(ids))

  it('pages by its cursor, each row once, and rejects the cursor with another filter', async () => {
    const seen: string[] = []
    let cursor: string | null = ''
    let first = ''
    while (cursor !== null) {
      const { json }: { json: { data: StructureRow[]; nextCursor: string | null } } = await world.get(
        `${path}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
        paying,
      )
      seen.push(...json.data.map(({ id }) => id))
      cursor = json.nextCursor
      if (first === '') first = cursor!
    }
    expect(seen).toEqual(['d', 'a', 'e', 'c', 'b'])
    expect((await world.get(`${path}?limit=2&kind=ladder&cursor=${first}`, paying)).status).toBe(400)
  })

  it.each([
    ['?kind=sure', 400, 'VALIDATION_ERROR'],
    ['?minEdges=1', 400, 'VALIDATION_ERROR'],
    ['?limit=0x10', 400, 'VALIDATION_ERROR'],
    ['?minEdge=', 400, 'VALIDATION_ERROR'],
    ['?venues=nowhere', 400, 'VALIDATION_ERROR'],
  ])('rejects %s', async (query, status, code) => {
    const reply = await world.get(`${path}${query}`, paying)
    expect([reply.status, reply.json.error.code]).toEqual([status, code])
  })

  it('is unavailable while no current rows exist, and where it is switched off', async () => {
    for (const view of [null, { state: () => null }]) {
      const reply = await createWorld({ structures: { view } }).get(path, paying)
      expect([reply.status, reply.json.error.code]).toEqual([503, 'ARBITRAGE_UNAVAILABLE'])
    }
  })
})
