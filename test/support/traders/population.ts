// Wallets with known, drawn skill: what they bet on, before a time and after it. The same seed gives the same wallets.
import { createPrng, type Prng } from '#lab/prng'
import type { Position } from '#traders/scores/index'

export interface PopulationOptions {
  seed: string
  /** `spread`: skill is normally distributed. `few`: most wallets hardly differ from the market, and some do. */
  skills: 'spread' | 'few'
  wallets: number
  /** Median number of markets per wallet before; the range is from a tenth of that to ten times as many. */
  marketsBefore: number
  /** Markets of each wallet after: enough that their results are mostly skill. */
  marketsAfter: number
}

export interface KnownWallet {
  /** Log odds by which its entries beat the market's. Hidden from the scores. */
  skill: number
  before: Position[]
  after: Position[]
}

const logit = (p: number): number => Math.log(p / (1 - p))
const logistic = (x: number): number => 1 / (1 + Math.exp(-x))

/** From the standard normal distribution, by Box and Muller. */
const normal = (prng: Prng): number => Math.sqrt(-2 * Math.log(1 - prng.next())) * Math.cos(2 * Math.PI * prng.next())

/** In `few`, of ten wallets seven are close to the market, two are better, one is worse. */
function skillOf(skills: PopulationOptions['skills'], prng: Prng): number {
  if (skills === 'spread') return 0.3 * normal(prng)
  const kind = prng.next()
  if (kind < 0.7) return 0.12 * normal(prng)
  return kind < 0.9 ? 0.35 + 0.15 * normal(prng) : -0.35 + 0.15 * normal(prng)
}

export function drawPopulation({
  seed,
  skills,
  wallets,
  marketsBefore,
  marketsAfter,
}: PopulationOptions): KnownWallet[] {
  const prng = createPrng(seed)
  return Array.from({ length: wallets }, () => {
    const skill = skillOf(skills, prng)
    const count = Math.round(
      Math.min(marketsBefore * 10, Math.max(marketsBefore / 10, marketsBefore * Math.exp(0.9 * normal(prng)))),
    )
    // Habits unrelated to skill: favourites or long shots, small or large amounts, even or varying stakes.
    const habit = { odds: 0.7 * normal(prng), stake: 60 * Math.exp(1.3 * normal(prng)), spread: 0.2 + prng.next() }
    const bet = (): Position => drawBet(prng, skill, habit)
    return { skill, before: Array.from({ length: count }, bet), after: Array.from({ length: marketsAfter }, bet) }
  })
}

function drawBet(prng: Prng, skill: number, habit: { odds: number; stake: number; spread: number }): Position {
  const price = Math.round(Math.min(0.97, Math.max(0.03, logistic(habit.odds + 0.8 * normal(prng)))) * 100) / 100
  const stake = habit.stake * Math.exp(habit.spread * normal(prng))
  const units = Math.round((stake / price) * 1_000_000)
  const isWon = prng.chance(logistic(logit(price) + skill))
  const position = { buyUnits: units, buyCost: Math.round(units * price), sellUnits: 0, sellCost: 0 }
  // Some sell half before the end, at a price as accurate as the first one.
  if (!prng.chance(0.2)) return { ...position, payout: isWon ? 1_000_000 : 0 }
  const later = logistic(logit(price) + (isWon ? 0.5 : -0.5))
  const sellUnits = Math.floor(units / 2)
  return { ...position, sellUnits, sellCost: Math.round(sellUnits * later), payout: isWon ? 1_000_000 : 0 }
}
