import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sideFlag } from '#arbitrage/flags'
import {
  compileStructures,
  findStructures,
  type OffersOf,
  type Relation,
  type StructureMarket,
  StructureSurface,
} from '#arbitrage/structures/index'
import { worldsMax } from '#arbitrage/structures/scenarios'
import { Random } from '../worlds.ts'
import { book, booksOf, implies, market, no, outcomes, same, yes } from './parts.ts'
import { randomWorld } from './randomWorld.ts'

const options = { leastEdge: 10_000, unitsMax: 1_000_000, rowsMax: 4 }
const find = (markets: readonly StructureMarket[], relations: readonly Relation[], offersOf: OffersOf) =>
  findStructures(compileStructures(markets, relations), offersOf, options)

const legsOf = ({ legs }: { legs: readonly { market: string; side: string }[] }): string[] =>
  legs.map((leg) => `${leg.market} ${leg.side}`).sort()

describe('an implication', () => {
  const markets = [market('k:above110'), market('p:above100')]
  const books = booksOf({
    'k:above110 no': book([
      [0.55, 40],
      [0.58, 100],
      [0.7, 100],
    ]),
    'p:above100 yes': book([[0.4, 100]]),
  })

  it('is bought as NO of the implying and YES of the implied market, until the next level costs more than it pays', () => {
    const { structures, proven } = find(markets, [implies('k:above110', 'p:above100')], books)
    expect(proven).toBe(true)
    expect(structures).toHaveLength(1)
    expect(structures[0]).toMatchObject({
      kind: 'implication',
      contracts: 100,
      worstPayout: 100,
      capital: 96.8,
      edge: 3.2,
      roi: 0.033058,
      relations: [{ id: 'k:above110=>p:above100', kind: 'a_implies_b', band: 'verified' }],
      weakest: { id: 'k:above110=>p:above100', band: 'verified' },
      executable: true,
      reasons: [],
    })
    expect(structures[0]!.legs).toEqual([
      {
        market: 'k:above110',
        venue: 'k',
        side: 'no',
        contracts: 100,
        cost: 56.8,
        fee: 0,
        payout: 100,
        limitPrice: 0.58,
        executable: true,
        reasons: [],
        asOf: '2026-09-21T14:13:20.000Z',
      },
      expect.objectContaining({ market: 'p:above100', side: 'yes', cost: 40 }),
    ])
  })

  it('is indicative while a relation is not verified, and names the weakest one', () => {
    const { structures } = find(markets, [implies('k:above110', 'p:above100', 'minor')], books)
    expect(structures).toMatchObject([
      { executable: false, reasons: ['relation_not_verified'], weakest: { band: 'minor' }, edge: 3.2 },
    ])
  })

  it('is not found when the relation is hidden or unscored', () => {
    for (const band of ['hidden', 'unscored'] as const)
      expect(find(markets, [implies('k:above110', 'p:above100', band)], books).structures).toEqual([])
  })

  it('is indicative on a stale or synthetic book or one of a dark venue, and not found without a book', () => {
    for (const [flag, word] of [
      [sideFlag.stale, 'stale_book'],
      [sideFlag.synthetic, 'synthetic_book'],
      [sideFlag.dark, 'venue_dark'],
    ] as const) {
      const offersOf: OffersOf = (key, side) => {
        const offers = books(key, side)
        return key === 'k:above110' && offers !== null ? { ...offers, flags: flag } : offers
      }
      expect(find(markets, [implies('k:above110', 'p:above100')], offersOf).structures).toMatchObject([
        { executable: false, reasons: [`k:above110:no:${word}`] },
      ])
    }
    const absent: OffersOf = (key, side) => (key === 'k:above110' ? null : books(key, side))
    expect(find(markets, [implies('k:above110', 'p:above100')], absent).structures).toEqual([])
  })

  it('is not found when a fee is unknown, when fees consume the edge, or below the minimum order', () => {
    const relations = [implies('k:above110', 'p:above100')]
    for (const facts of [
      { fee: { kind: 'unknown', reason: 'not published' } },
      { settlementFee: { kind: 'unknown', reason: 'not published' } },
      { fee: { kind: 'polymarket_curve', rate: 0.25, exponent: 1 } },
      { settlementFee: { kind: 'payout_rate', rate: 0.06 } },
      { minimumUnits: 25_000 },
      { minimumMicros: 200_000_000 },
      { minimumOtherMicros: 200_000_000 },
      // No order can have a limit of a whole dollar.
      { tickMicros: 500_000 },
    ] as const)
      expect(find([market('k:above110', facts), markets[1]!], relations, books).structures).toEqual([])
  })

  it('has the minimum order size when a smaller order is impossible and a larger one loses', () => {
    const { structures } = find(
      [market('k:a'), market('p:b', { minimumMicros: 1_000_000 })],
      [implies('k:a', 'p:b')],
      booksOf({
        'k:a no': book([
          [0.9, 20],
          [0.99, 1_000],
        ]),
        'p:b yes': book([[0.02, 1_000]]),
      }),
    )
    expect(structures).toMatchObject([{ contracts: 50, edge: 1.3, executable: true }])
  })

  it('is large enough for the minimum of the other outcome, at the order’s limit price', () => {
    const { structures } = find(
      [market('k:a'), market('p:b', { minimumMicros: 10_000_000, minimumOtherMicros: 10_000_000 })],
      [implies('k:a', 'p:b')],
      booksOf({
        'k:a no': book([[0.15, 1_000]]),
        // 10 of the other outcome: 40 contracts at 0.75, 50 at 0.80.
        'p:b yes': book([
          [0.75, 20],
          [0.8, 25],
          [0.84, 1_000],
        ]),
      }),
    )
    // At 0.84 it would take 63; the remaining edge there is one cent per contract.
    expect(structures).toMatchObject([{ contracts: 1000, executable: true }])
    const small = find(
      [market('k:a'), market('p:b', { minimumMicros: 10_000_000, minimumOtherMicros: 10_000_000 })],
      [implies('k:a', 'p:b')],
      booksOf({
        'k:a no': book([[0.15, 1_000]]),
        'p:b yes': book([
          [0.75, 20],
          [0.8, 40],
          [0.9, 1_000],
        ]),
      }),
    ).structures
    expect(small).toMatchObject([{ contracts: 60 }])
    const thin = find(
      [market('k:a'), market('p:b', { minimumOtherMicros: 10_000_000 })],
      [implies('k:a', 'p:b')],
      booksOf({ 'k:a no': book([[0.15, 1_000]]), 'p:b yes': book([[0.75, 39]]) }),
    ).structures
    expect(thin).toEqual([])
  })

  it('follows a chain of relations and depends on each step', () => {
    const chain = [market('k:a'), market('p:b'), market('k:c')]
    const { structures } = find(
      chain,
      [implies('k:a', 'p:b'), implies('p:b', 'k:c', 'material')],
      booksOf({ 'k:a no': book([[0.5, 10]]), 'k:c yes': book([[0.4, 10]]) }),
    )
    expect(structures).toMatchObject([
      {
        kind: 'implication',
        edge: 1,
        relations: [{ id: 'k:a=>p:b' }, { id: 'p:b=>k:c' }],
        weakest: { id: 'p:b=>k:c', band: 'material' },
        executable: false,
      },
    ])
  })

  it('uses the more certain of two chains', () => {
    const { structures } = find(
      [...markets, market('l:between')],
      [
        implies('k:above110', 'l:between', 'minor'),
        implies('l:between', 'p:above100', 'minor'),
        implies('k:above110', 'p:above100'),
      ],
      books,
    )
    expect(structures).toMatchObject([{ relations: [{ id: 'k:above110=>p:above100' }], executable: true }])
  })
})

describe('a partition', () => {
  const keys = ['k:a', 'k:b', 'k:c']
  const complete = outcomes('winner', keys.map(yes))

  it('is bought completely when the YES of all outcomes cost less than 1', () => {
    const books = booksOf({
      'k:a yes': book([[0.3, 10]]),
      'k:b yes': book([[0.3, 20]]),
      'k:c yes': book([[0.3, 30]]),
    })
    expect(
      find(
        keys.map((key) => market(key)),
        [complete],
        books,
      ).structures,
    ).toMatchObject([{ kind: 'partition', contracts: 10, worstPayout: 10, capital: 9, edge: 1, executable: true }])
    // An incomplete set of outcomes guarantees nothing.
    const open = outcomes('some', keys.map(yes), false)
    expect(
      find(
        keys.map((key) => market(key)),
        [open],
        books,
      ).structures,
    ).toEqual([])
  })

  it('is bought as NO on all outcomes when these cost less than n − 1, complete or not', () => {
    const books = booksOf({
      'k:a no': book([[0.6, 10]]),
      'k:b no': book([[0.65, 10]]),
      'k:c no': book([[0.7, 10]]),
    })
    for (const relation of [complete, outcomes('some', keys.map(yes), false)])
      expect(
        find(
          keys.map((key) => market(key)),
          [relation],
          books,
        ).structures,
      ).toMatchObject([{ contracts: 10, worstPayout: 20, capital: 19.5, edge: 0.5 }])
  })

  it('leaves out the NO of an outcome that costs more than it adds', () => {
    const books = booksOf({
      'k:a no': book([[0.4, 1]]),
      'k:b no': book([[0.4, 1]]),
      'k:c no': book([[0.995, 1]]),
    })
    const cent = keys.map((key) =>
      market(key, {
        tickMicros: 1_000,
        fee: { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' },
      }),
    )
    const { structures } = find(cent, [complete], books)
    expect(legsOf(structures[0]!)).toEqual(['k:a no', 'k:b no'])
  })

  it('takes each leg where it is cheapest, also from equal and inverse markets of other venues, and depends on those relations', () => {
    const markets = [...keys.map((key) => market(key)), market('p:b'), market('l:notC')]
    const inverse: Relation = { id: 'k:c!=l:notC', band: 'verified', kind: 'inverse', a: 'k:c', b: 'l:notC' }
    const books = booksOf({
      'k:a yes': book([[0.3, 10]]),
      'k:b yes': book([[0.4, 10]]),
      'p:b yes': book([[0.3, 10]]),
      'k:c yes': book([[0.5, 10]]),
      'l:notC no': book([[0.3, 10]]),
    })
    const { structures } = find(markets, [complete, same('k:b', 'p:b'), inverse], books)
    expect(structures).toHaveLength(1)
    expect(structures[0]).toMatchObject({ kind: 'partition', edge: 1, executable: true })
    expect(legsOf(structures[0]!)).toEqual(['k:a yes', 'l:notC no', 'p:b yes'])
    expect(structures[0]!.relations.map(({ id }) => id).sort()).toEqual(['k:b=p:b', 'k:c!=l:notC', 'winner'])
  })

  it('is executable with a more expensive verified leg, next to a better one that is not verified', () => {
    const markets = [...keys.map((key) => market(key)), market('p:b')]
    const books = booksOf({
      'k:a yes': book([[0.3, 10]]),
      'k:b yes': book([[0.32, 10]]),
      'p:b yes': book([[0.2, 10]]),
      'k:c yes': book([[0.3, 10]]),
    })
    const { structures } = find(markets, [complete, same('k:b', 'p:b', 'minor')], books)
    expect(structures.map(({ edge, executable, weakest }) => ({ edge, executable, weakest: weakest?.band }))).toEqual([
      { edge: 0.8, executable: true, weakest: 'verified' },
      { edge: 2, executable: false, weakest: 'minor' },
    ])
  })
})

describe('a ladder against ranges', () => {
  const keys = ['p:above80', 'k:80to89', 'k:90up']
  const ladder = outcomes('above 80 is 80 to 89 or 90 and more', [no('p:above80'), yes('k:80to89'), yes('k:90up')])
  const markets = keys.map((key) => market(key))

  it('is bought from either side', () => {
    const ranges = booksOf({
      'p:above80 no': book([[0.4, 10]]),
      'k:80to89 yes': book([[0.3, 10]]),
      'k:90up yes': book([[0.2, 10]]),
    })
    expect(find(markets, [ladder], ranges).structures).toMatchObject([{ kind: 'ladder', worstPayout: 10, edge: 1 }])
    const threshold = booksOf({
      'p:above80 yes': book([[0.4, 10]]),
      'k:80to89 no': book([[0.7, 10]]),
      'k:90up no': book([[0.8, 10]]),
    })
    expect(find(markets, [ladder], threshold).structures).toMatchObject([{ kind: 'ladder', worstPayout: 20, edge: 1 }])
  })
})

describe('a question bought both ways', () => {
  it('is an equality, and leaves the remaining markets to other structures', () => {
    const markets = ['k:a', 'l:a', 'p:a', 'k:b', 'k:c'].map((key) => market(key))
    const books = booksOf({
      'l:a yes': book([[0.3, 10]]),
      'p:a no': book([[0.3, 10]]),
      'k:a yes': book([[0.34, 10]]),
      'k:b yes': book([[0.3, 10]]),
      'k:c yes': book([[0.3, 10]]),
    })
    const relations = [same('k:a', 'l:a'), same('l:a', 'p:a'), outcomes('winner', ['k:a', 'k:b', 'k:c'].map(yes))]
    expect(
      find(markets, relations, books).structures.map((each) => [
        each.kind,
        each.edge,
        legsOf(each),
        each.relations.map(({ id }) => id),
      ]),
    ).toEqual([
      ['equality', 4, ['l:a yes', 'p:a no'], ['l:a=p:a']],
      ['partition', 0.6, ['k:a yes', 'k:b yes', 'k:c yes'], ['winner']],
    ])
  })
})

describe('groups', () => {
  it('form separate structures, each at its own size, when no needed relation connects them', () => {
    const books = booksOf({
      'k:a no': book([[0.5, 10]]),
      'k:b yes': book([[0.4, 10]]),
      'k:c no': book([[0.5, 70]]),
      'k:d yes': book([[0.4, 70]]),
      'k:e yes': book([[0.9, 10]]),
    })
    const markets = ['k:a', 'k:b', 'k:c', 'k:d', 'k:e'].map((key) => market(key))
    // One group, connected by relations that neither structure needs.
    const relations = [implies('k:a', 'k:b'), implies('k:c', 'k:d'), implies('k:b', 'k:e'), implies('k:d', 'k:e')]
    expect(find(markets, relations, books).structures.map((each) => [legsOf(each), each.contracts])).toEqual([
      [['k:c no', 'k:d yes'], 70],
      [['k:a no', 'k:b yes'], 10],
    ])
  })

  it('are rejected with the reason when contradictory or too large', () => {
    const inverse: Relation = { id: 'x', band: 'verified', kind: 'inverse', a: 'k:a', b: 'k:b' }
    const odd = find([market('k:a'), market('k:b')], [inverse, same('k:a', 'k:b')], booksOf({}))
    expect(odd.refused).toEqual([{ markets: ['k:a', 'k:b'], reason: 'contradiction' }])
    const count = Math.ceil(Math.log2(worldsMax)) + 1
    const loose = Array.from({ length: count }, (_, i) => market(`k:${i}`))
    const hub = loose.slice(1).map(({ key }) => implies(key, 'k:0'))
    expect(find(loose, hub, booksOf({})).refused).toMatchObject([{ reason: 'too_many_worlds' }])
    const manyKeys = Array.from({ length: 161 }, (_, i) => `k:${i}`)
    expect(
      find(
        manyKeys.map((key) => market(key)),
        [outcomes('all', manyKeys.map(yes))],
        booksOf({}),
      ).refused,
    ).toMatchObject([{ reason: 'too_many_markets' }])
  })

  it('ignore a relation with an unknown market', () => {
    expect(find([market('k:a')], [implies('k:a', 'k:b')], booksOf({})).structures).toEqual([])
  })
})

describe('the structure surface', () => {
  const long = process.env.CROSSBOOK_TEST_LONG === '1'

  it('equals a new surface after books changed, whatever was pruned before', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = new Random(seed)
        const { markets, relations, offersOf: start } = randomWorld(random)
        const books = new Map<string, ReturnType<OffersOf>>()
        const offersOf: OffersOf = (key, side) => {
          const changed = books.get(`${key} ${side}`)
          return changed === undefined ? start(key, side) : changed
        }
        const compiled = compileStructures(markets, relations)
        const surface = new StructureSurface(compiled, offersOf, options)
        surface.recompute()
        for (let round = 0; round < 5; round++) {
          const { key } = random.pick(markets)
          const side = random.pick(['yes', 'no'] as const)
          const price = random.int(1, 99) / 100
          books.set(`${key} ${side}`, random.chance(0.1) ? null : book([[price, random.int(1, 5)]]))
          surface.dirty(key)
          surface.recompute()
          expect(surface.found()).toEqual(findStructures(compiled, offersOf, options))
        }
      }),
      { numRuns: long ? 5_000 : 40 },
    )
  }, 600_000)

  it('recomputes only the groups of a changed book, up to a limit at once', () => {
    const markets = ['k:a', 'k:b', 'k:c', 'k:d'].map((key) => market(key))
    const relations = [implies('k:a', 'k:b'), implies('k:c', 'k:d', 'minor')]
    const looked: string[] = []
    const surface = new StructureSurface(
      compileStructures(markets, relations),
      (key) => {
        looked.push(key)
        return null
      },
      options,
    )
    // One group of verified relations, two of all shown ones.
    expect(surface.due).toBe(3)
    expect(surface.recompute(2)).toBe(2)
    expect(surface.recompute()).toBe(1)
    looked.length = 0
    surface.dirty('k:c')
    surface.dirty('k:d')
    surface.dirty('k:unknown')
    expect(surface.due).toBe(1)
    expect(surface.recompute()).toBe(1)
    expect([...new Set(looked)]).toEqual(['k:c', 'k:d'])
    expect(surface.recompute()).toBe(0)
  })

  const sets = ['a', 'b', 'c'].map((name) => ({
    name,
    compiled: compileStructures([market(`k:${name}`), market(`p:${name}`)], [implies(`k:${name}`, `p:${name}`)]),
  }))
  const surfaceOf = (books: OffersOf): StructureSurface => {
    const surface = new StructureSurface(null, books, options)
    for (const { name, compiled } of sets) surface.set(name, compiled)
    return surface
  }

  it('withholds a set whose books changed since its last search', () => {
    const surface = surfaceOf(booksOf({}))
    // Before the first search the sets are published empty, which withdraws earlier rows.
    expect(surface.takeSearched()).toEqual(['a', 'b', 'c'])
    expect(surface.found('b')).toMatchObject({ structures: [], proven: false })
    surface.recompute()
    surface.dirty('p:b')
    expect(surface.takeSearched()).toEqual(['a', 'c'])
    expect(surface.isOutOfDate('b')).toBe(true)
    surface.recomputeSet()
    expect([surface.isOutOfDate('b'), surface.due]).toEqual([false, 0])
    expect(surface.takeSearched()).toEqual(['b'])
  })

  it('prefers sets with structures over those that waited longer, without starving the latter', () => {
    const surface = surfaceOf(booksOf({ 'k:c no': book([[0.5, 10]]), 'p:c yes': book([[0.4, 10]]) }))
    surface.recompute()
    surface.takeSearched()
    const turns: string[] = []
    for (const key of ['k:a', 'k:b']) surface.dirty(key)
    while (surface.isOutOfDate('a')) {
      surface.dirty('k:c')
      surface.recomputeSet()
      turns.push(...surface.takeSearched())
    }
    expect(turns[0]).toBe('c')
    expect(turns.at(-1)).toBe('a')
    expect(turns.length).toBeLessThan(6)
  })
})
