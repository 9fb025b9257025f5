// Dollar prices of coins, metals and currencies in the lab: one seeded walk each, shared by all labs of reference feeds.
import type { Clock, Timer } from '#core/clock'
import { createPrng, type Prng } from '../prng.ts'

/** In dollars, when the lab begins. */
const begins: Readonly<Record<string, number>> = {
  BTC: 96_000,
  ETH: 3_400,
  SOL: 190,
  XRP: 2.2,
  BNB: 650,
  DOGE: 0.31,
  LINK: 18,
  USDC: 1,
  EUR: 1.08,
  XAU: 2_650,
  HYPE: 24,
}
export const assets = Object.keys(begins)

/** Assets that hardly move: a hundredth of a coin's stride. */
const calm = new Set(['USDC', 'EUR', 'XAU'])
const stepMs = 250
/** Per step: a coin's price moves some 0.02 % a step. */
const stride = 0.000_2

/** The last 24 hours of one asset. */
export interface PriceDay {
  open: number
  high: number
  low: number
  last: number
  /** In the asset. */
  volume: number
  /** Number of trades. */
  count: number
}

export class LabPrices {
  private readonly days = new Map<string, PriceDay>()
  private readonly random: Prng
  private readonly timer: Timer
  private readonly listeners = new Set<() => void>()

  constructor({ clock, seed }: { clock: Clock; seed: string }) {
    this.random = createPrng(`${seed}/prices`)
    for (const [asset, price] of Object.entries(begins)) {
      const open = price * (1 + (this.random.next() - 0.5) / 50)
      const [low, high] = [Math.min(open, price) * 0.995, Math.max(open, price) * 1.005]
      this.days.set(asset, { open, high, low, last: price, volume: 5e8 / price, count: 100_000 })
    }
    this.timer = clock.every(stepMs, () => this.step())
  }

  /** Throws for an unknown asset. */
  day(asset: string): PriceDay {
    const day = this.days.get(asset)
    if (day === undefined) throw new Error(`the lab has no price of ${asset}`)
    return day
  }

  price(asset: string): number {
    return this.day(asset).last
  }

  /** Sets the price, from which the walk continues. */
  set(asset: string, price: number): void {
    this.trade(asset, price)
    for (const moved of this.listeners) moved()
  }

  onMove(moved: () => void): void {
    this.listeners.add(moved)
  }

  stop(): void {
    this.timer.cancel()
    this.listeners.clear()
  }

  private step(): void {
    for (const asset of assets) {
      const size = stride * (calm.has(asset) ? 0.01 : 1)
      this.trade(asset, this.price(asset) * (1 + (this.random.next() - 0.5) * 2 * size))
    }
    for (const moved of this.listeners) moved()
  }

  private trade(asset: string, price: number): void {
    const day = this.day(asset)
    day.last = price
    day.high = Math.max(day.high, price)
    day.low = Math.min(day.low, price)
    day.volume += this.random.next() * (20_000 / price)
    day.count++
  }
}
