// The search for the worst and the best outcome, compared with every assignment of answers to all markets.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Answer, Relation } from '#arbitrage/structures/index'
import { Budget } from '#portfolio/exposure/budget'
import {
  evaluate,
  evaluateAll,
  evaluateSafely,
  outcomesMax,
  questionsOf,
  withHoldings,
} from '#portfolio/exposure/evaluate'
import { groupsOf } from '#portfolio/exposure/groups'
import type { Holding } from '#portfolio/exposure/holdings'
import { leastOf, worldsOf } from '#portfolio/exposure/outcomes'
import { negated, payoffOf } from '#portfolio/exposure/payoff'
import { parseAmount, smaller } from '#portfolio/ledger/amounts'
import { holdsIn, slowWorlds } from '#test/src/arbitrage/structures/slow'
import { Random } from '#test/src/arbitrage/worlds'
import { exclusive, pair, position } from './parts.ts'

const plenty = () => new Budget(1e9)

const holding = (answer: Answer, shares: string): Holding => ({
  market: answer.market,
  position: position(`${answer.market}/${answer.side}`, shares, '0'),
  shares,
  answer,
  value: null,
  money: 'USD',
  eventId: null,
})

interface Case {
  keys: string[]
  relations: Relation[]
  holdings: Holding[]
}

function randomCase(random: Random): Case {
  const keys = Array.from({ length: random.int(2, 6) }, (_, i) => `kalshi:m${i}`)
  const some = (): string[] =>
    keys
      .map((key) => ({ key, at: random.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ key }) => key)
  const relations = Array.from({ length: random.int(0, 6) }, (_, i): Relation => {
    const id = `r${i}`
    const [a, b] = some() as [string, string]
    if (random.chance(0.6))
      return { ...pair(random.pick(['same', 'inverse', 'a_implies_b', 'b_implies_a', 'exclusive'] as const), a, b), id }
    const members = some()
      .slice(0, random.int(2, keys.length))
      .map((market): Answer => ({ market, side: random.chance(0.25) ? 'no' : 'yes' }))
    return { id, band: 'verified', kind: 'outcomes', members, complete: random.chance(0.5) }
  })
  const holdings = keys.flatMap((market) =>
    (['yes', 'no'] as const).flatMap((side) =>
      random.chance(0.5) ? holding({ market, side }, `${random.int(-5, 9)}${random.chance(0.3) ? '.25' : ''}`) : [],
    ),
  )
  return {
    keys,
    relations,
    holdings: holdings.length > 0 ? holdings : [holding({ market: keys[0]!, side: 'yes' }, '1')],
  }
}

/** What the holdings pay in every consistent assignment. */
const slowPayoffs = ({ keys, relations, holdings }: Case): bigint[] =>
  slowWorlds(keys, relations).map((world) =>
    holdings.reduce((sum, { answer, shares }) => (holdsIn(world, answer) ? sum + parseAmount(shares) : sum), 0n),
  )

/** Answers to the held questions in every consistent assignment. */
const slowAnswers = ({ keys, relations, holdings }: Case): string[] =>
  slowWorlds(keys, relations).map((world) =>
    [...questionsOf(holdings).keys()].map((market) => `${market} ${world.get(market)}`).join(', '),
  )

const least = (amounts: readonly bigint[]): bigint => amounts.reduce(smaller)
const most = (amounts: readonly bigint[]): bigint => -amounts.map((amount) => -amount).reduce(smaller)
const runs = process.env.CROSSBOOK_TEST_LONG === '1' ? 20_000 : 600

describe('compared with every assignment of answers', () => {
  it('finds the same worst and best case, and the same outcomes', async () => {
    let contradictions = 0
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const random = randomCase(new Random(seed))
        const amounts = slowPayoffs(random)
        const { holdings, relations } = random
        const groups = await groupsOf({ held: questionsOf(holdings), relations, known: new Map() })
        const split = withHoldings(groups, holdings)
        expect(split.flatMap(([, held]) => held)).toHaveLength(holdings.length)
        if (amounts.length === 0) {
          contradictions++
          return
        }
        const sum = { worst: 0n, best: 0n, combinations: 1 }
        for (const [group, held] of split) {
          const found = (await evaluate(group, held, plenty()))!
          expect([found.hasAllOutcomes, found.bounds.size]).toEqual([true, 0])
          sum.worst += found.worst
          sum.best += found.best
          sum.combinations *= found.outcomes.length
          const { payoff } = payoffOf(group, held)
          expect((await leastOf(group, payoff, plenty()))?.payoff).toBe(found.worst)
          expect((await leastOf(group, negated(payoff), plenty()))?.payoff).toBe(-found.best)
        }
        expect([sum.worst, sum.best]).toEqual([least(amounts), most(amounts)])
        expect(sum.combinations).toBe(new Set(slowAnswers(random)).size)
      }),
      { numRuns: runs },
    )
    expect(contradictions).toBeGreaterThan(runs / 100)
  })

  it('relations that matter to all holdings are enough for some of them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const random = new Random(seed)
        const all = randomCase(random)
        const some = all.holdings.filter(() => random.chance(0.5))
        const amounts = slowPayoffs({ ...all, holdings: some })
        if (amounts.length === 0 || some.length === 0) return
        const { holdings, relations } = all
        const groups = await groupsOf({ held: questionsOf(holdings), relations, known: new Map() })
        const used = new Set(groups.flatMap((group) => group.relations))
        const ofSome = await groupsOf({
          held: questionsOf(some),
          relations: relations.filter(({ id }) => used.has(id)),
          known: new Map(),
        })
        const found = await evaluateAll(ofSome, some, (group, held) => evaluateSafely(group, held, [], plenty()))
        expect([found.worst, found.best, found.bounds.size]).toEqual([least(amounts), most(amounts), 0])
      }),
      { numRuns: runs },
    )
  })

  it('never reports a better worst case than there is, however early the search ends', async () => {
    let cut = 0
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 0, max: 80 }), async (seed, work) => {
        const random = randomCase(new Random(seed))
        const amounts = slowPayoffs(random)
        if (amounts.length === 0) return
        const { holdings, relations } = random
        const groups = await groupsOf({ held: questionsOf(holdings), relations, known: new Map() })
        const found = await evaluateAll(groups, holdings, (group, held) =>
          evaluateSafely(group, held, [], new Budget(work)),
        )
        const [worst, best] = [least(amounts), most(amounts)]
        expect(found.worst <= worst && found.best >= best).toBe(true)
        if (found.bounds.size === 0) expect([found.worst, found.best]).toEqual([worst, best])
        else cut++
      }),
      { numRuns: runs },
    )
    expect(cut).toBeGreaterThan(runs / 20)
  })
})

describe('large groups', () => {
  const markets = (venue: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${venue}:${i}`)
  const grouped = async (holdings: readonly Holding[], relations: readonly Relation[]) => {
    const groups = await groupsOf({ held: questionsOf(holdings), relations, known: new Map() })
    expect(groups).toHaveLength(1)
    return groups[0]!
  }

  it('are exact where relations decide most answers: a contest of sixty at three venues', async () => {
    const venues = ['a', 'b', 'c'].map((venue) => markets(venue, 60))
    const [first] = venues as [string[], string[], string[]]
    const relations = [
      ...venues.map((each, i) => exclusive(`event${i}`, each)),
      ...venues.slice(1).flatMap((each) => each.map((market, i) => pair('same', first[i]!, market))),
    ]
    const holdings = venues.flat().map((market) => holding({ market, side: 'no' }, '1'))
    const group = await grouped(holdings, relations)
    expect(group.questions).toBe(60)
    const found = (await evaluate(group, holdings, plenty()))!
    expect([found.worst, found.best, found.bounds.size]).toEqual([parseAmount('177'), parseAmount('180'), 0])
    expect([found.hasAllOutcomes, found.outcomes.length]).toEqual([false, 2])
  })

  it('list only the worst and the best of many outcomes, which are exact', async () => {
    // Each of ten implies the same: 2^10 + 1 combinations.
    const narrow = markets('kalshi', 10)
    const relations = narrow.map((market) => pair('a_implies_b', market, 'kalshi:wide'))
    const holdings = [
      ...narrow.map((market) => holding({ market, side: 'no' }, '1')),
      holding({ market: 'kalshi:wide', side: 'yes' }, '3'),
    ]
    const group = await grouped(holdings, relations)
    expect(await worldsOf(group, [...Array(11).keys()], outcomesMax, plenty())).toMatchObject({ isComplete: false })
    const found = (await evaluate(group, holdings, plenty()))!
    // All ten come true, and 3 is paid; or none does, and the wide one does.
    expect([found.worst, found.best]).toEqual([parseAmount('3'), parseAmount('13')])
    expect(found.outcomes.map(({ payoff }) => payoff)).toEqual([parseAmount('3'), parseAmount('13')])
    expect(found.hasAllOutcomes).toBe(false)
  })

  it('that cannot be searched have a bound, and other work of the process goes on meanwhile', async () => {
    const random = new Random(1)
    const all = markets('kalshi', 300)
    const relations = Array.from({ length: 900 }, (_, i): Relation => {
      const [a, b] = [random.pick(all), random.pick(all)]
      return { ...pair(random.pick(['a_implies_b', 'exclusive'] as const), a, b), id: `r${i}` }
    })
    const holdings = all.map((market) =>
      holding({ market, side: random.pick(['yes', 'no'] as const) }, `${random.int(1, 50)}`),
    )
    const groups = await groupsOf({ held: questionsOf(holdings), relations, known: new Map() })
    const [group, held] = withHoldings(groups, holdings).sort(([, a], [, b]) => b.length - a.length)[0]!
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const short = (await evaluate(group, held, new Budget(50_000)))!
    const long = (await evaluate(group, held, new Budget(2_000_000)))!
    isOver = true
    expect([...short.bounds]).toEqual(['search_limit'])
    expect(turns).toBeGreaterThan(5)
    // More work never makes the bound worse.
    expect(short.worst <= long.worst && short.best >= long.best).toBe(true)
    const { payoff } = payoffOf(group, held)
    const lowest = payoff.gains.reduce((sum, gain) => (gain < 0n ? sum + gain : sum), payoff.base)
    expect(short.worst >= lowest).toBe(true)
  })
})
