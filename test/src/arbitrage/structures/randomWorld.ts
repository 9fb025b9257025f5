// Small random worlds of books and relations. Prices follow one hidden state of the world, so that some of them nearly agree.
import type { FeeModel, SettlementFee } from '#arbitrage/fees'
import { sideFlag } from '#arbitrage/flags'
import type { Answer, Offers, OffersOf, Relation, StructureMarket } from '#arbitrage/structures/index'
import type { Random } from '../worlds.ts'

export interface RandomWorld {
  markets: StructureMarket[]
  relations: Relation[]
  offersOf: OffersOf
}

/** Every size that an order can have in these worlds. */
export const sizes = Array.from({ length: 24 }, (_, i) => (i + 1) * 50)

const bands = ['verified', 'verified', 'verified', 'verified', 'minor', 'material', 'hidden'] as const

function fee(random: Random): FeeModel {
  const kind = random.next()
  if (kind < 0.4) return { kind: 'none' }
  if (kind < 0.6)
    return {
      kind: 'kalshi_quadratic',
      rate: 0.07,
      multiplier: 1,
      rounding: random.pick(['cent', 'centicent'] as const),
    }
  if (kind < 0.75) return { kind: 'polymarket_curve', rate: random.pick([0.07, 0.04]), exponent: 1 }
  if (kind < 0.95) return { kind: 'quadratic_half_even', rate: 0.05 }
  return { kind: 'unknown', reason: 'not published' }
}

function settlementFee(random: Random): SettlementFee {
  const kind = random.next()
  if (kind < 0.85) return { kind: 'none' }
  if (kind < 0.92) return { kind: 'payout_rate', rate: 0.02 }
  return kind < 0.98 ? { kind: 'profit_rate', rate: 0.1 } : { kind: 'unknown', reason: 'not published' }
}

function offers(random: Random, from: number, tick: number): Offers | null {
  if (random.chance(0.05)) return null
  const levels: Offers['levels'][number][] = []
  let micros = Math.max(tick, Math.round(from / tick) * tick)
  for (let i = random.chance(0.05) ? 0 : random.int(1, 3); i > 0 && micros < 1_000_000; i--) {
    levels.push({ micros, units: random.chance(0.8) ? 100 * random.int(1, 4) : random.int(1, 400) })
    micros += tick * random.int(1, 4)
  }
  return { levels, flags: random.chance(0.08) ? sideFlag.stale : 0, asOf: 1_790_000_000_000 + random.int(0, 1000) }
}

export function randomWorld(random: Random): RandomWorld {
  const count = random.pick([2, 2, 3, 3, 3, 4, 4, 5])
  const fair = Array.from({ length: count }, () => random.int(5, 95) * 10_000)
  const markets = fair.map((_, i): StructureMarket => {
    const venue = random.pick(['kalshi', 'polymarket', 'limitless'])
    return {
      key: `${venue}:m${i}`,
      venue,
      fee: fee(random),
      settlementFee: settlementFee(random),
      tickMicros: random.pick([10_000, 10_000, 1_000]),
      stepUnits: random.pick([100, 100, 100, 50, 200]),
      minimumUnits: random.pick([50, 100, 100, 200, 300]),
      minimumMicros: random.pick([0, 0, 0, 400_000, 1_000_000]),
      minimumOtherMicros: random.pick([0, 0, 0, 0, 800_000, 1_500_000]),
    }
  })
  const relations = Array.from({ length: random.int(1, 4) }, (_, i) => relation(random, markets, `r${i}`))
  const books = new Map(
    markets.flatMap((market, i) => {
      const spread = random.int(-30, 50) * 1_000
      return [
        [`${market.key} yes`, offers(random, fair[i]! + spread, market.tickMicros)],
        [`${market.key} no`, offers(random, 1_000_000 - fair[i]! + random.int(0, 40) * 1_000, market.tickMicros)],
      ] as const
    }),
  )
  return { markets, relations, offersOf: (market, side) => books.get(`${market} ${side}`) ?? null }
}

function relation(random: Random, markets: readonly StructureMarket[], id: string): Relation {
  const band = random.pick(bands)
  const shuffled = markets
    .map(({ key }) => ({ key, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ key }) => key)
  const [a, b] = shuffled as [string, string]
  const kind = random.next()
  if (kind < 0.25) {
    const members = shuffled.slice(0, random.int(2, markets.length)).map(
      (market): Answer => ({
        market,
        side: random.chance(0.2) ? 'no' : 'yes',
      }),
    )
    return { id, band, kind: 'outcomes', members, complete: random.chance(0.7) }
  }
  return {
    id,
    band,
    kind: random.pick(['same', 'inverse', 'a_implies_b', 'a_implies_b', 'b_implies_a', 'exclusive'] as const),
    a,
    b,
  }
}
