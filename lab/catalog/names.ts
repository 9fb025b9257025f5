// Venue names derived from the catalog's own text: the same seed, the same names.
import { digestHex } from '../prng.ts'

/** `max`: the venue's slug limit, in characters. */
export const slugify = (text: string, max = 180): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, max)

/** If the slug is taken, appends the item's number. */
export function uniqueSlug(slug: string, ordinal: number, taken: Set<string>): string {
  const free = taken.has(slug) ? `${slug}-${ordinal}` : slug
  taken.add(free)
  return free
}

/** A token as long as real ones: a 256-bit number in decimal. */
export const tokenOf = (name: string): string => BigInt(`0x${digestHex(name)}`).toString()
