// Opportunities that scanners logged for one venue's brackets and for rules between its markets: found, or rejected
// with the reason. The fixtures contain no `nested_arb` log.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  compileStructures,
  explainLegs,
  findStructures,
  type Offers,
  type OffersOf,
  type StructureMarket,
} from '#arbitrage/structures/index'
import { sharedFixture } from '#test/support/fixtures'
import { book, booksOf, implies, market, no, outcomes, yes } from './parts.ts'

const skipped = '(skipped where ../shared/fixtures is absent)'
const scan = sharedFixture('cross_venue/arbitrage/arb_scan_2026-07-01.csv')
const rules = sharedFixture('cross_venue/arbitrage/combi_arb_2026-07-01.csv')
const predictit = sharedFixture('predictit/actionable_arbs.csv')

/** Fields with commas are quoted. */
function rowsOf(path: string | null): Record<string, string>[] {
  if (path === null) return []
  const [head, ...lines] = readFileSync(path, 'utf8').trim().split(/\r?\n/)
  const names = head!.split(',')
  return lines.map((line) => {
    const fields = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((match) => match[1] ?? match[2] ?? '')
    return Object.fromEntries(names.map((name, i) => [name, fields[i] ?? '']))
  })
}

const long = process.env.CROSSBOOK_TEST_LONG === '1'
/** Every eighth row where rows differ only by a number. */
const some = <T>(rows: readonly T[]): T[] => rows.filter((_, index) => long || index % 8 === 0)

const options = { leastEdge: 1, unitsMax: 100, rowsMax: 4 }
const fine = { tickMicros: 1, stepUnits: 100, minimumUnits: 100, minimumMicros: 0, minimumOtherMicros: 0 }

const ranges = Array.from({ length: 9 }, (_, i) => `polymarket:range${i}`)
const rangeMarkets = ranges.map((key) => market(key, fine))

describe.skipIf(scan === null)(`brackets that a scanner added up ${skipped}`, () => {
  /** Only sums were logged: each outcome gets an equal share. */
  const read = (row: Record<string, string>) => {
    expect(Number(row.n_brackets)).toBe(ranges.length)
    const price = Math.round((Number(row.suma_yes) / ranges.length) * 1e6) / 1e6
    const offers = book([[price, 1]])
    const offersOf: OffersOf = (_key, side) => (side === 'yes' ? offers : null)
    return { offersOf, sum: price * ranges.length }
  }

  it('are no guarantee: nine closed ranges exclude each other, but the price can be outside of all of them', () => {
    const rows = rowsOf(scan)
    const [under, over] = ['BRACKET_ARB', 'OVERROUND'].map((kind) => rows.filter(({ tipo }) => tipo === kind))
    expect([under?.length, over?.length]).toEqual([34, 914])
    // Nine ranges of equal width from the lowest bound to the highest, without the open ends.
    const relations = [outcomes('ranges', ranges.map(yes), false)]
    const compiled = compileStructures(rangeMarkets, relations)
    for (const row of [...under!, ...some(over!)]) {
      const { offersOf } = read(row)
      expect(findStructures(compiled, offersOf, options).structures).toEqual([])
      const why = explainLegs(rangeMarkets, relations, ranges.map(yes), 100, offersOf)
      expect(why.verdict).toBe('a_world_pays_nothing')
      expect(why.worstWorld).toEqual(ranges.map(no))
    }
  })

  it('would be a partition if complete: found when they sum to less than 1, too expensive when to more', () => {
    const relations = [outcomes('all', ranges.map(yes))]
    const compiled = compileStructures(rangeMarkets, relations)
    for (const row of rowsOf(scan).filter(({ tipo }, index) => tipo === 'BRACKET_ARB' || long || index % 8 === 0)) {
      const { offersOf, sum } = read(row)
      const { structures } = findStructures(compiled, offersOf, options)
      if (row.tipo === 'BRACKET_ARB') {
        expect(structures).toMatchObject([{ kind: 'partition', worstPayout: 1, executable: true }])
        expect(structures[0]!.edge).toBeCloseTo(1 - sum, 9)
        expect(structures[0]!.edge).toBeCloseTo(Number(row.gap_pct) / 100, 4)
        continue
      }
      expect(structures).toEqual([])
      expect(explainLegs(rangeMarkets, relations, ranges.map(yes), 100, offersOf).verdict).toBe(
        'costs_more_than_it_pays',
      )
    }
  })

  it('have no logged NO prices when they sum to more than 1, so the other side cannot be priced', () => {
    const { offersOf } = read(rowsOf(scan)[0]!)
    const why = explainLegs(rangeMarkets, [outcomes('all', ranges.map(yes))], ranges.map(no), 100, offersOf)
    expect(why).toMatchObject({
      verdict: 'not_priced',
      reasons: ranges.map((key) => `${key}:no:book_unavailable`),
    })
  })
})

describe.skipIf(rules === null)(`rules between markets that a scanner logged ${skipped}`, () => {
  /** The market with the narrower YES and the one it implies, as bought: NO of the first, YES of the second. */
  const read = (row: Record<string, string>) => {
    const [a, b] = [`polymarket:${row.mercado_a_id}`, `polymarket:${row.mercado_b_id}`]
    const ladder = row.tipo_arb === 'MONOTONICITY'
    // Of two thresholds the higher implies the lower, whatever the log calls it.
    const [narrow, wide] = ladder ? [b, a] : [a, b]
    const wideYes = Number(ladder ? row.price_yes_a : row.price_yes_b)
    const narrowNo = Math.round((Number(row.coste_arb) - wideYes) * 1e6) / 1e6
    const offersOf = booksOf({ [`${wide} yes`]: book([[wideYes, 1]]), [`${narrow} no`]: book([[narrowNo, 1]]) })
    return { narrow, wide, legs: [no(narrow), yes(wide)], offersOf, cost: Number(row.coste_arb), row }
  }
  const markets = (keys: readonly string[], facts: Partial<StructureMarket>) =>
    keys.map((key) => market(key, { ...fine, ...facts }))

  it('leave the logged profit before fees, and nothing after the taker fee of such markets', () => {
    const verdicts = rowsOf(rules).map((row) => {
      const { narrow, wide, legs, offersOf, cost } = read(row)
      const relations = [implies(narrow, wide)]
      const free = markets([narrow, wide], {})
      const { structures } = findStructures(compileStructures(free, relations), offersOf, options)
      expect(structures.length).toBe(cost < 1 ? 1 : 0)
      if (cost < 1) {
        expect(structures[0]).toMatchObject({ kind: 'implication', worstPayout: 1, executable: true })
        expect(structures[0]!.edge).toBeCloseTo(1 - cost, 6)
        expect(structures[0]!.edge).toBeCloseTo(Number(row.profit_bruto) / 100, 6)
      }
      const charged = markets([narrow, wide], { fee: { kind: 'polymarket_curve', rate: 0.07, exponent: 1 } })
      expect(findStructures(compileStructures(charged, relations), offersOf, options).structures).toEqual([])
      return explainLegs(charged, relations, legs, 100, offersOf).verdict
    })
    expect(verdicts).toEqual([
      ...new Array(5).fill('fees_exceed_the_edge'),
      ...new Array(4).fill('costs_more_than_it_pays'),
    ])
  })

  it('are not executable while the rule is a guess: a token priced a day after launch may launch after the deadline', () => {
    const guessed = rowsOf(rules).filter((row) => row.tipo_arb === 'RULE_DEPENDENCY')
    expect(guessed).toHaveLength(2)
    for (const row of guessed) {
      const { narrow, wide, legs, offersOf } = read(row)
      const free = markets([narrow, wide], {})
      const material = [implies(narrow, wide, 'material')]
      expect(findStructures(compileStructures(free, material), offersOf, options).structures).toMatchObject([
        { executable: false, reasons: ['relation_not_verified'], weakest: { band: 'material' } },
      ])
      expect(explainLegs(free, [], legs, 100, offersOf)).toMatchObject({
        verdict: 'a_world_pays_nothing',
        worstWorld: [yes(narrow), no(wide)],
      })
    }
  })
})

describe.skipIf(predictit === null)(`NO on every outcome of PredictIt's markets ${skipped}`, () => {
  it('leaves the logged profit after a tenth of each profit is taken at settlement', () => {
    const rows = rowsOf(predictit)
    expect(rows).toHaveLength(453)
    let checked = 0
    for (const row of rows) {
      const count = Number(row.contracts_ct)
      const total = Number(row.cbestBuyNoCost)
      const net = Number(row.profit_net)
      // In one row the cut is not a tenth of its profits.
      if (Math.abs(Number(row.pi_cut) - 0.1 * (count - total)) > 1e-6) continue
      checked++
      if (!long && checked % 8 !== 0) continue
      // Only sums were logged: the most expensive leg follows from the smallest cut, the others share the rest.
      const dearest = 1 - 10 * Number(row.pi_cut_min)
      const keys = Array.from({ length: count }, (_, i) => `predictit:${i}`)
      const priceOf = (i: number): number => (i === 0 ? dearest : (total - dearest) / (count - 1))
      const offersOf = booksOf(
        Object.fromEntries(keys.map((key, i): [string, Offers] => [`${key} no`, book([[priceOf(i), 1]])])),
      )
      const markets = keys.map((key) => market(key, { ...fine, settlementFee: { kind: 'profit_rate', rate: 0.1 } }))
      const relations = [outcomes('all', keys.map(yes), false)]
      const all = explainLegs(markets, relations, keys.map(no), 100, offersOf)
      // Prices are rounded to whole micro-dollars here.
      expect(Math.abs((all.worstPayout! - all.capital!) / 1e6 - net)).toBeLessThan(0.0001)
      // Some are better without their most expensive leg.
      const { structures } = findStructures(compileStructures(markets, relations), offersOf, options)
      expect(structures[0]?.edge ?? 0).toBeGreaterThanOrEqual((all.worstPayout! - all.capital!) / 1e6)
    }
    expect(checked).toBe(452)
  })
})
