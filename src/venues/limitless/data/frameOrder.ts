// The order of whole books on Limitless' socket: by the venue's version where both frames have one, otherwise by their times. Pure.

interface Mark {
  version: number | null
  /** Venue time, epoch ms. */
  eventTs: number | null
}

interface Placed extends Mark {
  place: number
}

/** When the venue's time has advanced by this, a lower version means that the count restarted, ms. */
const restartMs = 5_000

export class FrameOrder {
  private readonly newest = new Map<string, Placed>()

  /**
   * `sequence` is below that of the frame before when this one is older, null when it has neither version nor time. `eventTs` is null for a time
   * that contradicts the version: books refuse one that goes back.
   */
  place(bookId: string, mark: Mark): { sequence: number | null; eventTs: number | null } {
    if (mark.version === null && mark.eventTs === null) return { sequence: null, eventTs: null }
    const before = this.newest.get(bookId)
    if (before === undefined) {
      this.newest.set(bookId, { ...mark, place: 0 })
      return { sequence: 0, eventTs: mark.eventTs }
    }
    if (isOlder(mark, before)) return { sequence: before.place - 1, eventTs: mark.eventTs }
    const place = before.place + 1
    const isTimely = mark.eventTs !== null && (before.eventTs === null || mark.eventTs >= before.eventTs)
    // A value that this frame lacks is taken from the one before.
    const eventTs = isTimely ? mark.eventTs : before.eventTs
    this.newest.set(bookId, { version: mark.version ?? before.version, eventTs, place })
    return { sequence: place, eventTs: isTimely ? mark.eventTs : null }
  }

  forget(bookIds: readonly string[]): void {
    for (const bookId of bookIds) this.newest.delete(bookId)
  }
}

function isOlder(mark: Mark, before: Mark): boolean {
  const elapsedMs = mark.eventTs === null || before.eventTs === null ? null : mark.eventTs - before.eventTs
  if (mark.version === null || before.version === null) return elapsedMs !== null && elapsedMs < 0
  return mark.version < before.version && !(elapsedMs !== null && elapsedMs >= restartMs)
}
