import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Relation } from '#arbitrage/structures/input'
import { eventRelations, type MatchInput, marketKey, readQuestion } from '#matching/candidateIndex'

const long = process.env.CROSSBOOK_TEST_LONG === '1'
const venue = 'north'

interface Made {
  id: string
  /** The values for which it resolves Yes. */
  holds(value: number): boolean
  input: Omit<MatchInput, 'venue' | 'marketId'>
}

const related = (made: readonly Made[], exclusive = false): Relation[] =>
  eventRelations({
    venue,
    eventId: 'E',
    markets: made.map(({ id, input }) => readQuestion({ ...input, venue, marketId: id })),
    exclusive: exclusive ? made.map(({ id }) => marketKey({ venue, marketId: id })) : [],
    listing: { open: null, grows: null },
  })

/** Whether a world, given as the answers of the markets, agrees with a relation. */
function agrees(relation: Relation, answer: (market: string) => boolean): boolean {
  if (relation.kind === 'outcomes') {
    const truths = relation.members.filter(({ market, side }) => answer(market) === (side === 'yes')).length
    return relation.complete ? truths === 1 : truths <= 1
  }
  const [a, b] = [answer(relation.a), answer(relation.b)]
  switch (relation.kind) {
    case 'same':
      return a === b
    case 'inverse':
      return a !== b
    case 'a_implies_b':
      return !a || b
    case 'b_implies_a':
      return !b || a
    case 'exclusive':
      return !(a && b)
  }
}

/** Scales: the step between two values of the figure, and the title of its questions. */
const scales = [
  { step: 1, title: 'How many storms will be named in 2027?' },
  { step: 0.01, title: 'Bitcoin price on Dec 22, 2026?' },
  { step: 0.1, title: 'Unemployment rate in May 2027?' },
] as const

const round = (value: number, step: number): number => Math.round(value / step) * step
const plain = (value: number): number => Number(value.toFixed(2))

/** Inclusive bounds on the scale, in whole steps. */
const piece = fc.record({
  shape: fc.constantFrom('up', 'down', 'range'),
  low: fc.integer({ min: 11, max: 19 }),
  width: fc.integer({ min: 0, max: 4 }),
  strict: fc.boolean(),
})

type Shape = typeof piece extends fc.Arbitrary<infer Value> ? Value : never

function made(id: string, { shape, low, width, strict }: Shape, scale: (typeof scales)[number]): Made {
  const { step, title } = scale
  // Every strike is written to the finest step, as venues do on such ladders.
  const at = (steps: number): number => plain(100 * step + steps * step)
  const common = { title, rules: 'By the list.', closeTime: '2027-01-01T00:00:00.000Z' }
  const [from, to] = [at(low), at(low + width)]
  const near = (value: number): number => round(value, step)
  if (shape === 'range')
    return {
      id,
      holds: (value) => near(value) >= near(from) - step / 9 && near(value) <= near(to) + step / 9,
      input: { ...common, strikeType: 'between', floorStrike: from, capStrike: to },
    }
  if (shape === 'up')
    return {
      id,
      holds: (value) => (strict ? value > from + step / 9 : value > from - step / 9),
      input: { ...common, strikeType: strict ? 'greater' : 'greater_or_equal', floorStrike: from },
    }
  return {
    id,
    holds: (value) => (strict ? value < from - step / 9 : value < from + step / 9),
    input: { ...common, strikeType: strict ? 'less' : 'less_or_equal', capStrike: from },
  }
}

describe('random ladders', () => {
  const ladders = fc.record({
    scale: fc.constantFrom(...scales),
    pieces: fc.array(piece, { minLength: 2, maxLength: 9 }),
  })

  test('reports relations that hold in every world, and thresholds allow exactly the possible worlds', () => {
    let some = 0
    fc.assert(
      fc.property(ladders, ({ scale, pieces }) => {
        const markets = pieces.map((each, at) => made(`M${at}`, each, scale))
        const relations = related(markets)
        some += relations.length
        const worlds = new Set<string>()
        for (let steps = 5; steps <= 30; steps++) {
          const value = 100 * scale.step + steps * scale.step
          const truth = new Map(markets.map(({ id, holds }) => [`${venue}:${id}`, holds(value)]))
          worlds.add(markets.map(({ id }) => (truth.get(`${venue}:${id}`) === true ? 1 : 0)).join(''))
          for (const relation of relations)
            expect(
              agrees(relation, (key) => truth.get(key) === true),
              `${relation.id} at ${value}`,
            ).toBe(true)
        }
        if (pieces.some(({ shape }) => shape === 'range')) return
        let allowed = 0
        for (let bits = 0; bits < 2 ** markets.length; bits++) {
          const answer = (key: string): boolean => ((bits >> Number(key.slice(venue.length + 2))) & 1) === 1
          if (relations.every((relation) => agrees(relation, answer))) allowed++
        }
        expect(allowed).toBe(worlds.size)
      }),
      { numRuns: long ? 20_000 : 150 },
    )
    expect(some).toBeGreaterThan(300)
  })

  test('reports brackets as complete only if they cover the line exactly once', () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 11, max: 24 }), { minLength: 2, maxLength: 6 })
    const damage = fc.constantFrom('none', 'hole', 'overlap', 'no low end', 'no high end')
    fc.assert(
      fc.property(fc.constantFrom(...scales), cuts, damage, fc.boolean(), (scale, unsorted, harm, flagged) => {
        const at = [...unsorted].sort((a, b) => a - b)
        const shapes = [
          { shape: 'down' as const, low: at[0]! - 1, width: 0, strict: false },
          ...at.slice(1).map((next, k) => ({
            shape: 'range' as const,
            low: at[k]!,
            width: next - at[k]! - 1,
            strict: false,
          })),
          { shape: 'up' as const, low: at.at(-1)!, width: 0, strict: false },
        ]
        const harmed = shapes.map((each) => ({ ...each }))
        if (harm === 'hole') harmed[harmed.length - 1]!.low++
        if (harm === 'overlap') harmed[harmed.length - 1]!.low--
        const kept = harm === 'no low end' ? harmed.slice(1) : harm === 'no high end' ? harmed.slice(0, -1) : harmed
        const relations = related(
          kept.map((each, k) => made(`M${k}`, each, scale)),
          flagged && harm !== 'overlap',
        )
        const complete = relations.filter((each) => each.kind === 'outcomes' && each.complete)
        if (harm === 'none') expect(complete).toMatchObject([{ band: 'verified', members: { length: shapes.length } }])
        // An upper tail that begins with the last range makes that range unnecessary.
        else if (harm === 'overlap')
          expect(complete.filter((each) => each.kind === 'outcomes' && each.members.length === kept.length)).toEqual([])
        else expect(complete).toEqual([])
        if (flagged && harm === 'hole') expect(relations.some(({ id }) => id.includes(':exclusive:'))).toBe(true)
      }),
      { numRuns: long ? 10_000 : 300 },
    )
  })
})

const btc = (id: string, subtitle: string, strike: Partial<MatchInput>): Made => ({
  id,
  holds: () => false,
  input: { title: 'Bitcoin price on Jul 25, 2026?', subtitle, closeTime: '2026-07-25T06:00:00Z', ...strike },
})
const yes = (title: string, more: Partial<MatchInput> = {}): Omit<MatchInput, 'venue' | 'marketId'> => ({
  title,
  ...more,
})
const plainMarket = (id: string, title: string, more: Partial<MatchInput> = {}): Made => ({
  id,
  holds: () => false,
  input: yes(title, more),
})
const ids = (relations: readonly Relation[]): string[] => relations.map(({ id }) => id.replace('event:north:E:', ''))

test('reports a threshold and the ranges above it as a complete set', () => {
  const relations = related([
    plainMarket('T80', 'Will 80 or more storms be named in 2027?'),
    plainMarket('R80', 'Will between 80 and 89 storms be named in 2027?'),
    plainMarket('T90', 'Will 90 or more storms be named in 2027?'),
  ])
  expect(relations).toMatchObject([
    { id: 'event:north:E:ladder:T90>T80', kind: 'a_implies_b', band: 'verified' },
    {
      kind: 'outcomes',
      complete: true,
      members: [
        { market: 'north:T80', side: 'no' },
        { market: 'north:R80', side: 'yes' },
        { market: 'north:T90', side: 'yes' },
      ],
    },
  ])
})

test('connects strikes a tick below the round number, but finds a gap between whole dollars', () => {
  const ticks = [
    btc('B1', '$74,250 to 74,349.99', { strikeType: 'between', floorStrike: 74_250, capStrike: 74_349.99 }),
    btc('B2', '$74,350 to 74,449.99', { strikeType: 'between', floorStrike: 74_350, capStrike: 74_449.99 }),
    btc('L', '$74,249.99 or below', { strikeType: 'less', capStrike: 74_250 }),
    btc('H', '$74,450 or above', { strikeType: 'greater', floorStrike: 74_449.99 }),
  ]
  expect(ids(related(ticks)).filter((id) => id.startsWith('outcomes'))).toEqual(['outcomes:L..H'])
  const whole = [
    btc('B1', '$74,250 to $74,349', { strikeType: 'between', floorStrike: 74_250, capStrike: 74_349 }),
    btc('L', 'below $74,250', { strikeType: 'less', capStrike: 74_250 }),
    btc('H', '$74,350 or above', { strikeType: 'greater_or_equal', floorStrike: 74_350 }),
  ]
  expect(related(whole).filter((each) => each.kind === 'outcomes' && each.complete)).toEqual([])
})

test('orders deadlines: by June implies by July', () => {
  const relations = related([
    plainMarket('JUL', 'Will Ohio legalize mead by July 31, 2027?'),
    plainMarket('JUN', 'Will Ohio legalize mead by June 30, 2027?'),
    plainMarket('DEC', 'Will Ohio legalize mead by December 31, 2027?'),
    plainMarket('TX', 'Will Texas legalize mead by December 31, 2027?'),
  ])
  expect(ids(relations)).toEqual(['ladder:JUL>DEC', 'ladder:JUN>JUL'])
})

test('does not treat an exclusive event as exhaustive', () => {
  const people = ['Klaus Iohannis', 'Kaja Kallas', 'Ben Wallace']
  const listed = people.map((name, at) =>
    plainMarket(`P${at}`, `Will ${name} be the next Secretary General of NATO?`, { subtitle: name }),
  )
  expect(related(listed)).toEqual([])
  expect(related(listed, true)).toMatchObject([{ kind: 'outcomes', complete: false, members: { length: 3 } }])
})

test('reports nothing for a ladder whose event is flagged exclusive, because that is a contradiction', () => {
  const rungs = [
    plainMarket('T80', 'Will 80 or more storms be named in 2027?'),
    plainMarket('T90', 'Will 90 or more storms be named in 2027?'),
  ]
  expect(related(rungs)).toHaveLength(1)
  expect(related(rungs, true)).toEqual([])
})

test('orders touched strikes with band minor, and does not exclude two touched ranges', () => {
  const relations = related([
    plainMarket('A', 'Will Bitcoin hit $150,000 in 2027?'),
    plainMarket('B', 'Will Bitcoin hit $120,000 in 2027?'),
  ])
  expect(relations).toMatchObject([{ id: 'event:north:E:ladder:A>B', band: 'minor' }])
})

test('excludes amounts of an uncertain event, which are complete only with its denial', () => {
  const by = (amount: string) => ({
    title: 'Margin of victory in the 2027 Hamburg election?',
    subtitle: `Brandt by ${amount}`,
  })
  const relationKinds = (...amounts: string[]) =>
    related(amounts.map((amount, at) => ({ id: `m${at}`, holds: () => false, input: by(amount) }))).map(
      (relation) =>
        `${relation.band} ${relation.kind === 'outcomes' ? `complete ${relation.complete}` : relation.kind}`,
    )
  // Another candidate may win.
  expect(relationKinds('5% or more', 'less than 5%')).toEqual(['verified exclusive'])
  expect(relationKinds('less than 5%', '5% to 9.9%', '10% or more')).not.toContain('verified complete true')
  // In that case the NO of "5% or more" pays.
  expect(relationKinds('5% or more', '5% to 9.9%', '10% or more')).toContain('verified complete true')
})
