// When several states of a book arrive at once, a reader sees only the last. If they lie close together in the book's own time, nothing is
// lost. If not (a line or a process stalled, then everything came at once), the book may have been anywhere in between. That counts as a break
// (docs/decisions/0036).

/**
 * States of a book further apart than this, ms of its own time, count as a break. Lines that batch frames for a tenth of a second or two, and
 * process pauses, stay below it; a lower limit would restart every count for as long as they last (docs/decisions/0036).
 */
export const conflationMs = 250
