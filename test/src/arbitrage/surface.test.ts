import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CompiledSurface, compileSurface } from '#arbitrage/compileSurface'
import { rowOf } from '#arbitrage/row'
import { Surface } from '#arbitrage/surface'
import type { ArbitrageRow } from '#schemas/arbitrage'
import { type ReferenceRow, referenceRows } from './reference.ts'
import { bookKey, Random, SampleBooks, sampleBook, sampleCluster } from './worlds.ts'

const long = process.env.CROSSBOOK_TEST_LONG === '1'
const now = 1_790_000_000_000

/** The numbers and reasons of a row, in the shape of the reference. */
const comparable = (row: ArbitrageRow): ReferenceRow => {
  const leg = ({ venue, side, reasons, vwap, cost, fee, filled, fullyFilled }: ArbitrageRow['legs']['buyYes']) => ({
    venue,
    side,
    reasons,
    vwap,
    cost,
    fee,
    filled,
    fullyFilled,
  })
  const { clusterId, settlementFee, totalCost, netEdge, roi, executable, reasons, label, asOf } = row
  const { buyYes, buyNo } = row.legs
  return {
    clusterId,
    buyYes: leg(buyYes),
    buyNo: leg(buyNo),
    settlementFee,
    totalCost,
    netEdge,
    roi,
    executable,
    reasons,
    label,
    asOf,
  }
}

function world(seed: number, clusters: number) {
  const random = new Random(seed)
  const books = new SampleBooks(clusters * 10)
  const inputs = Array.from({ length: clusters }, (_, i) => sampleCluster(random, `c${i}`, books, now))
  const contracts = random.pick(['100', '1', '0.01', '250.5', '33.33', '1000', '7300', '64'])
  const compiled = compileSurface(inputs, { contracts: Number(contracts), limit: 1e9, slotOf: books.slotOf })
  const changed: number[] = []
  const surface = Surface.alone(compiled.plan, books.arena, (cluster) => changed.push(cluster))
  const rows = () => compiled.rowFacts.map((_, row) => comparable(rowOf(compiled, surface.table, row)))
  const reference = () => {
    const all = new Map(
      inputs.flatMap((input) => referenceRows(input, books.books, contracts)).map((row) => [row.clusterId, row]),
    )
    return compiled.rowFacts.map(({ key }) => all.get(key))
  }
  const expectedCount = () => inputs.flatMap((input) => referenceRows(input, books.books, contracts)).length
  return { random, books, inputs, compiled, surface, changed, rows, reference, expectedCount }
}

describe('the surface', () => {
  it('equals a slow reference with exact rationals, including fees, on random clusters and books', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { surface, rows, reference, compiled, expectedCount } = world(seed, 10)
        surface.pass()
        expect(rows()).toEqual(reference())
        expect(compiled.plan.rows).toBe(expectedCount())
      }),
      { numRuns: long ? 10_000 : 80 },
    )
  }, 1_800_000)

  it('equals a full pass after dirty books, and changes only their clusters', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { random, books, surface, rows, reference, changed, inputs } = world(seed, 6)
        surface.pass()
        let writes = 0
        for (let round = 0; round < 4; round++) {
          changed.length = 0
          const touched = new Set<number>()
          for (let i = random.int(1, 3); i > 0; i--) {
            const at = random.int(0, inputs.length - 1)
            const member = random.pick(inputs[at]!.members)
            const source = random.pick([member.yesBook, member.noBook])
            if (source === null) continue
            const key = bookKey(member.venue, source.bookId)
            const before = books.books.get(key)!
            if (before.state === 'absent' || before.state === 'awaiting') continue
            const slot = books.set({
              ...sampleBook(random, key, now + 100_001 * ++writes),
              state: random.chance(0.8) ? 'live' : 'stale',
            })
            surface.dirty(slot)
            touched.add(at)
          }
          surface.recompute()
          expect(rows()).toEqual(reference())
          expect(changed.length).toBeLessThanOrEqual(touched.size)
        }
      }),
      { numRuns: long ? 2_000 : 30 },
    )
  }, 1_800_000)

  it('finds unreported changes in a pass, and changes nothing else', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { random, books, surface, rows, reference, changed, inputs } = world(seed, 6)
        surface.pass()
        changed.length = 0
        surface.pass()
        expect(changed).toEqual([])
        for (let round = 1; round < 5; round++) {
          const at = random.int(0, inputs.length - 1)
          const { yesBook, venue } = random.pick(inputs[at]!.members)
          const key = yesBook === null ? null : bookKey(venue, yesBook.bookId)
          const state = key === null ? 'absent' : books.books.get(key)!.state
          if (key === null || state === 'absent' || state === 'awaiting') continue
          books.set({ ...sampleBook(random, key, now + 100_001 * round), state: 'live' })
          changed.length = 0
          surface.pass()
          expect(rows()).toEqual(reference())
          expect(changed.length).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: long ? 1_000 : 20 },
    )
  }, 600_000)

  it('prices a leg as unavailable when its slot is given to another book', () => {
    const { surface, books, compiled } = world(7, 3)
    surface.pass()
    const side = compiled.plan.slot.findIndex((slot, at) => slot >= 0 && surface.table.asOf[at]! > 0)
    const source = compiled.sideFacts[side]!
    books.writer.release(bookKey(source.member.venue, source.source!.bookId))
    surface.dirty(compiled.plan.slot[side]!)
    surface.recompute()
    expect(surface.table.asOf[side]).toBe(-1)
    expect(surface.table.cost[side]).toBe(-1)
  })
})

describe('compiling clusters', () => {
  it('drops and counts hidden pairs and impossible scores before any computation', () => {
    const random = new Random(3)
    const books = new SampleBooks(40)
    const input = sampleCluster(random, 'x', books, now, 4)
    const base = {
      matchDifferences: [],
      resolution: { compatible: true, reason: null, auditReasons: [] },
      resolutionEquivalence: 'verified',
    }
    const [a, b, c, d] = input.members.map(({ venue }) => venue) as [string, string, string, string]
    const compiled = compileSurface(
      [
        {
          ...input,
          pairs: [
            { a, b, ...base, matchScore: 100, matchBand: 'verified' },
            { a, b: c, ...base, matchScore: 101, matchBand: 'verified' },
            { a, b: d, ...base, matchScore: 99, matchBand: 'verified' },
            { a: b, b: c, ...base, matchScore: 100, matchBand: 'hidden' },
            { a: b, b: d, ...base, matchScore: 100, matchBand: 'certain' as 'verified' },
            { a: c, b: d, ...base, matchScore: null, matchBand: 'verified' },
          ],
        },
      ],
      { contracts: 100, limit: 100, slotOf: books.slotOf },
    )
    expect(compiled.rowFacts.map(({ key }) => key)).toEqual([`x:${a}:${b}`, `x:${b}:${a}`])
    expect(compiled.dropped).toEqual({ hidden: 2, invalidMatchScore: 8, members: 0, overLimit: 0 })
  })

  const manyVenues = (random: Random, books: SampleBooks) => {
    const { members, ...rest } = sampleCluster(random, 'x', books, now, 4)
    const [first] = members
    const fee = { kind: 'none' } as const
    const venues = Array.from({ length: 12 }, (_, i) => `venue${String(i).padStart(2, '0')}`)
    const many = venues.map((venue) => ({
      ...first!,
      ...{ venue, marketId: venue, canonicalMarketId: `${venue}:1`, dark: false, fee, settlementFee: fee },
      yesBook: { bookId: 'yes', complement: false },
    }))
    const pair = (
      a: string,
      b: string,
      matchBand: 'verified' | 'minor',
      matchScore = matchBand === 'minor' ? 90 : 100,
    ) => ({
      ...{ a, b, matchScore, matchBand, resolutionEquivalence: matchBand },
      matchDifferences: matchBand === 'minor' ? [{ kind: 'source', detail: '', points: 10 }] : [],
      resolution: { compatible: true, reason: null, auditReasons: [] },
    })
    const all = (band: (a: string, b: string) => 'verified' | 'minor') =>
      venues.flatMap((a, i) => venues.slice(i + 1).map((b) => pair(a, b, band(a, b))))
    return { cluster: { ...rest, members: many }, venues, all }
  }
  const venuesIn = ({ rowFacts }: CompiledSurface): string[] =>
    [...new Set(rowFacts.map(({ key }) => key.split(':').at(-1)!))].sort()

  it('keeps the ten venues with the best bands, not the first ones, and counts the others', () => {
    const books = new SampleBooks(40)
    const { cluster, venues, all } = manyVenues(new Random(3), books)
    const isVerified = (a: string, b: string): boolean => a === 'venue00' && b === 'venue11'
    const pairs = all((a, b) => (isVerified(a, b) ? 'verified' : 'minor'))
    const compiled = compileSurface([{ ...cluster, pairs }], { contracts: 100, limit: 100, slotOf: books.slotOf })
    expect(venuesIn(compiled)).toEqual([...venues.slice(0, 9), 'venue11'])
    expect(compiled.rowFacts).toHaveLength(90)
    expect(compiled.rowFacts.filter(({ verified }) => verified)).toHaveLength(2)
    expect(compiled.dropped.members).toBe(2)
  })

  it('prefers venues with executable markets among equal bands', () => {
    const books = new SampleBooks(40)
    const { cluster, venues, all } = manyVenues(new Random(3), books)
    const members = cluster.members.map((member, i) =>
      i === 0
        ? { ...member, dark: true }
        : i === 5
          ? { ...member, fee: { kind: 'unknown', reason: 'x' } as const }
          : member,
    )
    const pairs = all(() => 'verified')
    const compiled = compileSurface([{ ...cluster, members, pairs }], {
      ...{ contracts: 100, limit: 100, slotOf: books.slotOf },
    })
    expect(venuesIn(compiled)).toEqual(venues.filter((_, i) => i !== 0 && i !== 5))
  })

  it('reuses unchanged clusters, with the same result as a full compilation', () => {
    fc.assert(
      fc.property(fc.integer(), fc.array(fc.array(fc.nat(19), { maxLength: 20 }), { maxLength: 5 }), (seed, sets) => {
        const random = new Random(seed)
        const books = new SampleBooks(400)
        const inputs = Array.from({ length: 20 }, (_, i) => sampleCluster(random, `c${i}`, books, now))
        let previous: CompiledSurface | null = null
        for (const set of sets) {
          const clusters = [...new Set(set)].map((i) => inputs[i]!)
          const options = { contracts: 5, limit: 60, slotOf: books.slotOf }
          const compiled: CompiledSurface = compileSurface(clusters, { ...options, previous })
          expect(compiled).toEqual(compileSurface(clusters, options))
          for (const [input, cluster] of compiled.clusters)
            if (previous?.clusters.has(input)) expect(cluster).toBe(previous.clusters.get(input))
          previous = compiled
        }
      }),
      { numRuns: long ? 100 : 40 },
    )
  })

  it('produces at most ninety rows for ten venues', () => {
    const random = new Random(4)
    const books = new SampleBooks(100)
    const input = sampleCluster(random, 'x', books, now, 10)
    const venues = input.members.map(({ venue }) => venue)
    const pairs = venues.flatMap((a, i) =>
      venues.slice(i + 1).map((b) => ({
        a,
        b,
        matchScore: 100,
        matchBand: 'verified' as const,
        matchDifferences: [],
        resolution: { compatible: true, reason: null, auditReasons: [] },
        resolutionEquivalence: 'verified',
      })),
    )
    const compiled = compileSurface(
      [{ ...input, members: [...input.members, { ...input.members[0]!, venue: 'eleventh' }], pairs }],
      {
        contracts: 100,
        limit: 100,
        slotOf: books.slotOf,
      },
    )
    expect(compiled.plan.rows).toBe(90)
    expect(compiled.dropped.members).toBe(1)
  })
})
