// A plan over ten venues, as a request computes it: from the levels of the books to the split. Sizes and amounts, purchases and sales; half of the
// venues trade whole contracts, the others hundredths, with five fee formulas.
import type { FeeModel } from '#arbitrage/fees'
import { type Candidate, planRoute } from '#router/plan/route'
import type { Wanted } from '#router/plan/solve'
import { type Bench, type BenchResult, costResult, figure, fullOrShort } from './bench.ts'

const venues = 10
const plans = fullOrShort(600, 50)
const warmup = fullOrShort(200, 10)

const fees: readonly FeeModel[] = [
  { kind: 'none' },
  { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' },
  { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'centicent' },
  { kind: 'quadratic_half_even', rate: 0.06 },
  { kind: 'polymarket_curve', rate: 0.05, exponent: 1 },
]

interface Problem {
  candidates: Candidate[]
  isBuy: boolean
  wanted: Wanted
}

function problems(levelsPerVenue: number, tickMicros: number): Problem[] {
  let state = 7
  const random = (max: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * max)
  }
  return Array.from({ length: plans + warmup }, () => {
    const isBuy = random(2) === 0
    const middle = 300_000 + random(300) * 1_000
    const candidates = Array.from({ length: venues }, (_, venue): Candidate => {
      const isWhole = venue % 2 === 0
      let micros = middle + (isBuy ? 1 : -1) * (1 + random(6)) * 1_000
      const levels = Array.from({ length: levelsPerVenue }, () => {
        const level = { micros, units: isWhole ? 100 * (1 + random(500)) : 100 + random(50_000) }
        micros += (isBuy ? 1 : -1) * tickMicros * (1 + random(2))
        return level
      }).filter((level) => level.micros > 0 && level.micros < 1_000_000)
      return {
        id: String(venue),
        ageMs: 0,
        parts: [
          {
            isBuy,
            levels,
            fee: fees[venue % fees.length]!,
            settlementFee: { kind: 'none' },
            tickMicros,
            stepUnits: isWhole ? 100 : 1,
            minimumUnits: isWhole ? 100 : 500,
            minimumMicros: isWhole ? 0 : 1_000_000,
            minimumOtherMicros: 0,
            worstMicros: null,
            available: null,
          },
        ],
      }
    })
    const wanted: Wanted =
      random(2) === 0
        ? { by: 'size', units: 100 * (1 + random(50_000)) }
        : { by: 'amount', micros: (1 + random(20_000)) * 1_000_000 }
    return { candidates, isBuy, wanted }
  })
}

/** Each plan is computed so many times: the fastest run of a plan is its own work, without that of other programs. */
const rounds = fullOrShort(5, 2)

function measure(levelsPerVenue: number, tickMicros: number): BenchResult[] {
  const name = `${venues} venues, ${venues * levelsPerVenue} levels`
  const all = problems(levelsPerVenue, tickMicros)
  const fastest = new Float64Array(all.length).fill(Number.POSITIVE_INFINITY)
  const taken: number[] = []
  let proven = 0
  let gap = 0
  for (let round = 0; round < rounds; round++)
    for (const [index, { candidates, isBuy, wanted }] of all.entries()) {
      const begun = performance.now()
      const plan = planRoute(candidates, { isBuy, wanted, ageMaxMs: null })
      const ms = performance.now() - begun
      if (index < warmup) continue
      taken.push(ms)
      fastest[index] = Math.min(fastest[index]!, ms)
      if (plan.isProven) proven++
      else gap = Math.max(gap, plan.gap)
    }
  const own = fastest.subarray(warmup).toSorted()
  return [
    figure('router', `${name}: p50`, 'ms', shareOf(own, 0.5)),
    costResult('router', `${name}: p99`, 'ms', shareOf(own, 0.99), 'the target', 2),
    figure('router', `${name}: p99 of all runs`, 'ms', shareOf(Float64Array.from(taken).toSorted(), 0.99)),
    figure('router', `${name}: share proven`, 'share', proven / taken.length),
    figure('router', `${name}: largest gap not proven`, 'USD', gap / 1e6),
  ]
}

const shareOf = (sorted: Float64Array, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!

async function run(): Promise<BenchResult[]> {
  return [...measure(20, 1_000), ...measure(200, 1_000)]
}

export const benches: readonly Bench[] = [{ name: 'router', run }]
