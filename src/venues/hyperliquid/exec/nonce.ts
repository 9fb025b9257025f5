// Nonces are milliseconds, and the venue takes each once per signer. Two builds of one millisecond must not share one, or the second
// order could never be placed.
import type { Clock } from '#lib/clock'

const lastByClock = new WeakMap<Clock, number>()

/** Strictly rising within the process. */
export function nextNonce(clock: Clock): number {
  const nonce = Math.max(clock.now(), (lastByClock.get(clock) ?? 0) + 1)
  lastByClock.set(clock, nonce)
  return nonce
}
