// Until when a claimed execution may be sent.
import type { Clock } from '#core/clock'
import { relayWithinMs } from '#venues/lane'

/**
 * Later readers of this execution rely on it: anything signed was signed within that time of the claim, even if the process stalled,
 * the machine slept or the clock was changed. `until`: when a conditional order expires; nothing of it leaves after that.
 */
export function sendDeadlineCheck(clock: Clock, until?: Date): (claimedAtMs: number) => boolean {
  const from = clock.monotonic()
  return (claimedAtMs) => {
    if (until !== undefined && clock.now() >= until.getTime()) return false
    const apartMs = Math.abs(clock.now() - claimedAtMs)
    return apartMs <= relayWithinMs && clock.monotonic() - from <= relayWithinMs
  }
}
