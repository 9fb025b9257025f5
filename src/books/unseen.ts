// Of several states of a book told at once a reader sees the last. Where they lie close together in the book's own time nothing is lost; where
// they do not (a line or a process stood still, and all came at once) the book may have gone anywhere in between, and nobody can say that it
// stayed. That is a break, like a book that was not to be believed (docs/decisions/0036).

/**
 * States of a book further apart than this, ms of its own time, are not one. Lines that gather their frames for a tenth of a second or two, and
 * pauses of a process, are below it: above, they would start every count over for as long as they last (docs/decisions/0102).
 */
export const unseenMs = 250
