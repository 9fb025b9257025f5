import { describe, expect, it } from 'vitest'
import { arbitrageRows, arbitrageRowsAt, compatRow, type FoundRow } from '#arbitrage/fetchArbitrage'
import { SizedSurfaces } from '#arbitrage/sizedQuery'
import { jsonArray } from '#core/jsonArray'
import type { ArbitrageRow } from '#schemas/arbitrage'
import { drain, published } from './published.ts'
import { Random, sampleBook } from './worlds.ts'

const read = (work: Generator<void, FoundRow[], void>): ArbitrageRow[] =>
  JSON.parse(jsonArray(drain(work).map(({ bytes }) => bytes)).toString()) as ArbitrageRow[]
const ids = (rows: readonly ArbitrageRow[]): string[] => rows.map(({ clusterId }) => clusterId).sort()

describe('rows over HTTP', () => {
  it('are the published rows: executable first, then by edge, unpriced last, at most the limit', () => {
    const { publication, all } = published(1)
    const rows = read(arbitrageRows(publication.rows, { limit: 10_000 }))
    expect(ids(rows)).toEqual(ids(all))
    const rank = (row: ArbitrageRow): number => (row.executable ? 1e9 : 0) + (row.netEdge ?? -1e6)
    expect(rows.map(rank)).toEqual(rows.map(rank).sort((a, b) => b - a))
    expect(read(arbitrageRows(publication.rows, { limit: 3 }))).toEqual(rows.slice(0, 3))
    expect(read(arbitrageRows(publication.rows, { limit: 0 }))).toEqual([])
  })

  it('are filtered as on the stream, and by price difference', () => {
    const { publication, all } = published(2)
    const limit = 10_000
    const executable = read(arbitrageRows(publication.rows, { limit, executableOnly: true }))
    expect(ids(executable)).toEqual(ids(all.filter((row) => row.executable)))
    expect(executable.length).toBeGreaterThan(0)
    expect(ids(read(arbitrageRows(publication.rows, { limit, minEdge: 0.5 })))).toEqual(
      ids(all.filter(({ netEdge }) => netEdge !== null && netEdge >= 0.5)),
    )
    const spread = ({ legs }: ArbitrageRow) => 1 - legs.buyNo.vwap! - legs.buyYes.vwap!
    const priced = all.filter(({ legs }) => legs.buyNo.vwap !== null && legs.buyYes.vwap !== null)
    expect(ids(read(arbitrageRows(publication.rows, { limit, minSpread: 0.1 })))).toEqual(
      ids(priced.filter((row) => spread(row) >= 0.1 - 1e-9)),
    )
  })

  it('carry the nine fields of the older API only when requested', () => {
    const { publication } = published(3)
    const words = [
      'marketA',
      'marketB',
      'spread',
      'buyVenue',
      'sellVenue',
      'buyPrice',
      'sellPrice',
      'relation',
      'confidence',
    ]
    const plain = read(arbitrageRows(publication.rows, { limit: 1_000 }))
    expect(plain.some((row) => words.some((word) => word in row))).toBe(false)
    for (const row of plain.map((each) => compatRow(each))) {
      expect(words.every((word) => word in row)).toBe(true)
      expect([row.buyVenue, row.sellVenue]).toEqual([row.legs.buyYes.venue, row.legs.buyNo.venue])
      expect(row.relation).toBe(row.matchBand === 'verified' ? 'identity' : null)
      expect(row.confidence).toBe(row.matchScore === null ? null : row.matchScore / 100)
      if (row.spread !== null) expect(row.spread).toBeCloseTo(row.sellPrice! - row.buyPrice!, 9)
    }
    expect(compatRow(plain[0]!, (venue, id) => ({ venue, id, whole: true })).marketA).toMatchObject({ whole: true })
  })

  it('for another size equal those of a surface of that size', () => {
    const { books, compiled, publication, all } = published(4)
    const sizes = new SizedSurfaces(books.arena)
    expect(read(arbitrageRowsAt(compiled, sizes, 10, { limit: 50 }))).toEqual(
      read(arbitrageRows(publication.rows, { limit: 50 })),
    )
    const bigger = read(arbitrageRowsAt(compiled, sizes, 5_000, { limit: 10_000 }))
    expect(ids(bigger)).toEqual(ids(all))
    expect(bigger.every(({ contracts, payout }) => contracts === 5_000 && payout === 5_000)).toBe(true)
    expect(bigger.filter(({ netEdge }) => netEdge === null).length).toBeGreaterThan(
      all.filter(({ netEdge }) => netEdge === null).length,
    )
  })

  it('for another size follow the current books, whatever changed since the last read', () => {
    const { books, compiled } = published(5)
    const random = new Random(5)
    const kept = new SizedSurfaces(books.arena)
    const live = [...books.books.values()].filter(({ state }) => state === 'live' || state === 'stale')
    const seen = new Set<string>()
    for (let round = 1; round <= 12; round++) {
      const { key } = random.pick(live)
      books.set({
        ...sampleBook(random, key, 1_790_000_000_000 + 100_001 * round),
        state: random.pick(['live', 'stale']),
      })
      const size = random.pick([1, 10, 250])
      const again = read(arbitrageRowsAt(compiled, kept, size, { limit: 10_000 }))
      expect(again).toEqual(read(arbitrageRowsAt(compiled, new SizedSurfaces(books.arena), size, { limit: 10_000 })))
      seen.add(JSON.stringify(again))
    }
    expect(seen.size).toBe(12)
  })
})
