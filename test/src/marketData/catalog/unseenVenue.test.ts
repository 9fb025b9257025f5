// The cost of writing markets does not grow with the number of markets of the venue, even while the database's
// statistics do not include the venue.
import { expect, it, vi } from 'vitest'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import type { Market } from '#schemas/market'
import { LeanClient } from '#storage/postgres/pgClient'
import { withPostgres } from '#test/support/postgres'
import { sampleEvent, sampleMarket } from './samples.ts'

const pg = withPostgres()
const perWrite = 200
const large = /^catalog_(markets|titles|words|outcomes) /

interface PlanNode {
  'Relation Name'?: string
  'Index Name'?: string
  'Node Type': string
  Plans?: PlanNode[]
}
/** A bitmap scan names its index one level below. */
const indexOf = (node: PlanNode): string | undefined =>
  node['Index Name'] ?? (node['Node Type'] === 'Bitmap Heap Scan' ? node.Plans?.[0]?.['Index Name'] : undefined)

/** The access method of each table. */
const readsIn = (node: PlanNode): string[] => [
  ...(/Scan/.test(node['Node Type']) && node['Relation Name'] !== undefined
    ? [`${node['Relation Name']} by ${indexOf(node) ?? node['Node Type']}`]
    : []),
  ...(node.Plans ?? []).flatMap(readsIn),
]

it('looks up rows by their key', async () => {
  const catalog = createPostgresCatalog(pg.pool)
  const write = async (venue: string, count: number, more: Partial<Market> = {}): Promise<void> => {
    const markets = Array.from({ length: count }, (_, i) =>
      sampleMarket(`m${i}`, { title: `Will it be ${i}`, sourceExchange: venue, volume24h: i, ...more }),
    )
    for (let first = 0; first < count; first += perWrite) {
      const event = sampleEvent(`e${first}`, markets.slice(first, first + perWrite), { sourceExchange: venue })
      await catalog.upsertEvents(venue, [event], [], more.title === undefined ? 1 : 2)
    }
  }
  await write('kalshi', 2_000)
  await pg.pool.query('ANALYZE')
  await write('polymarket', 2_000)

  const query = vi.spyOn(LeanClient.prototype, 'query')
  await write('polymarket', perWrite, { title: 'Another question', volume24h: 7 })
  const statements = query.mock.calls.flatMap(([statement, values]): [string, unknown[]][] => {
    const { text, values: own } =
      typeof statement === 'string' ? { text: statement, values: values as unknown[] } : statement
    return /given|catalog_titles t/.test(text!) ? [[text!, own ?? []]] : []
  })
  query.mockRestore()

  const looked = new Set<string>()
  for (const [text, values] of statements) {
    const { rows } = await pg.pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      values,
    )
    for (const read of readsIn(rows[0]!['QUERY PLAN'][0].Plan)) {
      if (!large.test(read)) continue
      expect(read, text).toMatch(/_(pkey|market)$/)
      looked.add(read.split(' ')[0]!)
    }
  }
  expect([...looked].toSorted()).toEqual(['catalog_markets', 'catalog_outcomes', 'catalog_titles', 'catalog_words'])
})
