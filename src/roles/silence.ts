// Reports to a user of books which venues, or parts of them, have fallen silent, and which are sending again.
import type { BookWatch } from '#actors/books/bookWatch'
import type { Clock, Timer } from '#core/clock'
import { formatLease } from '#schemas/parts'
import type { StatusBoard } from './venueStatus.ts'

const watchMs = 1_000

export function watchSilence(
  status: Pick<StatusBoard, 'reporting'>,
  user: Pick<BookWatch, 'venueSilent' | 'venueResumed'>,
  clock: Clock,
): Timer {
  let silent = new Set<string>()
  return clock.every(watchMs, () => {
    const before = silent
    silent = new Set()
    const aliveLeases = new Set<string>()
    for (const { venue, part, reporting } of status.reporting()) {
      const lease = formatLease(venue, part)
      if (!reporting) {
        silent.add(lease)
        user.venueSilent(venue, part)
      } else if (before.has(lease)) aliveLeases.add(venue)
    }
    for (const venue of aliveLeases) user.venueResumed(venue)
  })
}
