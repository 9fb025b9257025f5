// The parts into which the markets of one venue can be split, so that several ingest processes feed it. A part is named `<index>/<count>`, counted
// from 1; a venue that is not split has no parts. Which part a book belongs to follows from its id alone. Pure.
//
//   lease of a whole venue: `polymarket`      of one of four parts: `polymarket#2/4`
import { stableHash } from './stableHash.ts'

/** Parts of one venue at most. */
export const partsMax = 16

/** The names of all parts. */
export const listParts = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index + 1}/${count}`)

/** How many parts the venue has of which this is one; 1 for a whole venue. */
export const countParts = (part: string | undefined): number =>
  part === undefined ? 1 : Number(part.slice(part.indexOf('/') + 1))

/** Whether this part does what is done once for the venue. */
export const isFirstPart = (part: string | undefined): boolean => part === undefined || part.startsWith('1/')

/** The part that the book belongs to where its venue has this many. */
export const assignPart = (bookId: string, count: number): string => `${(stableHash(bookId) % count) + 1}/${count}`

/** True for the books that the part feeds. */
export function feedsBook(part: string | undefined): (bookId: string) => boolean {
  if (part === undefined) return () => true
  const count = countParts(part)
  const index = Number(part.slice(0, part.indexOf('/'))) - 1
  return (bookId) => stableHash(bookId) % count === index
}

/** The name of what one ingest process owns: a venue, or a part of one. Also the key of its heartbeats. */
export const formatLease = (venue: string, part: string | undefined): string =>
  part === undefined ? venue : `${venue}#${part}`

export function parseLease(lease: string): { venue: string; part: string | undefined } {
  const mark = lease.indexOf('#')
  return mark < 0 ? { venue: lease, part: undefined } : { venue: lease.slice(0, mark), part: lease.slice(mark + 1) }
}

/** The leases of a venue that is split into this many parts. */
export const listLeases = (venue: string, count: number): string[] =>
  count === 1 ? [venue] : listParts(count).map((part) => formatLease(venue, part))
