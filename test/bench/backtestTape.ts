// Best prices of one market with trades: a walk by cents, ten events a second, one trade in fifty.
import type { EmittedFrame } from '#history/paced/sources'
import { book, trade } from '#test/support/backtest/world'

export function benchTape(rows: number): EmittedFrame[] {
  let seed = 42
  const next = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return seed / 0x7fffffff
  }
  const frames: EmittedFrame[] = []
  let cents = 50
  for (let i = 0; i < rows; i++) {
    const draw = next()
    if (draw < 0.005) cents = Math.min(90, cents + 1)
    else if (draw > 0.995) cents = Math.max(10, cents - 1)
    const at = i * 100
    if (next() < 0.02) {
      const buys = next() < 0.5
      frames.push(trade(at, (buys ? cents + 1 : cents - 1) / 100, 20 + Math.floor(next() * 80), buys ? 'Buy' : 'Sell'))
    } else frames.push(book(at, (cents - 1) / 100, (cents + 1) / 100, 50 + Math.floor(next() * 50)))
  }
  return frames
}
