// Validates a venue's answer: unreadable or impossible rows are left out and counted; if no row is valid, the answer is an error.
import { Fault } from '#core/fault'
import type { VenueContext } from '#venues/venueContext'

export interface Counted<T> {
  answer: T
  /** Its unreadable rows. */
  leftOut: number
}

export const counted =
  <T>(read: (context: VenueContext) => Promise<T>) =>
  async (context: VenueContext): Promise<Counted<T>> => {
    let leftOut = 0
    const answer = await read({
      ...context,
      leftOut(rows) {
        leftOut += rows
      },
    })
    return { answer, leftOut }
  }

/** Throws NETWORK_ERROR when none of several rows is possible. */
export function toTraderRows<T>(
  slug: string,
  { answer, leftOut }: Counted<readonly T[]>,
  possible: (row: T) => T | null,
): { rows: T[]; notes: string[] } {
  const rows = answer.flatMap((row) => possible(row) ?? [])
  if (rows.length === 0 && answer.length > 0)
    throw new Fault('NETWORK_ERROR', `${slug} sent an unusable answer`, {
      exchange: slug,
      detail: 'every row has impossible values',
    })
  const missing = leftOut + answer.length - rows.length
  const notes =
    missing === 0
      ? []
      : [
          `${missing} ${missing === 1 ? 'row' : 'rows'} of the venue’s could not be read and ${missing === 1 ? 'is' : 'are'} left out.`,
        ]
  return { rows, notes }
}
