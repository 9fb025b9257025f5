// When several states of a book arrive at once, a reader sees only the last. If their times are close together, nothing is lost. If not (a
// line or a process stalled, then everything came at once), the book may have been anywhere in between. That counts as a break
// (docs/decisions/0036).

/**
 * States of a book further apart than this, ms of its own time, count as a break. Lines that batch frames for a tenth of a second or two,
 * and process pauses, stay below it; a lower limit would restart every count while they last (docs/decisions/0036).
 */
export const conflationMs = 250
