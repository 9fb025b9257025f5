// Under which ids the tape stores an outcome: the id of the book it is read from, as its venue defines it. Where a venue keeps one book for
// both sides of a market, only the book's own side is taped: the other side is the same rows, mirrored (its bids are 1 − asks).

/** How an outcome reads its book at its venue; null for an id the venue cannot have. `marketId` resolves ambiguous ids. */
export type BookOf = (
  venue: string,
  outcomeId: string,
  marketId?: string,
) => { bookId: string; complement: boolean } | null

/** Every outcome has its own book. */
export const unmirroredBooks: BookOf = () => null

/** The tape's rows that make up one outcome. */
export interface Recorded {
  venue: string
  /** More than one if the id has several representations. */
  outcomeIds: readonly string[]
  /** The rows are the other side's. */
  mirrored: boolean
}

/** `outcomeIds`: representations of one outcome; the first determines its side. */
export function recordedOutcomeId(
  bookOf: BookOf,
  venue: string,
  outcomeIds: readonly string[],
  marketId?: string,
): Recorded {
  const refs = outcomeIds.map((outcomeId) => ({ outcomeId, ref: bookOf(venue, outcomeId, marketId) }))
  const mirrored = refs[0]?.ref?.complement ?? false
  const ids = refs
    .filter(({ ref }) => (ref?.complement ?? false) === mirrored)
    .map(({ outcomeId, ref }) => ref?.bookId ?? outcomeId)
  return { venue, outcomeIds: [...new Set(ids)], mirrored }
}
