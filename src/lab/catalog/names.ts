// Names that venues give to what they list, made of the catalog's own words: the same seed, the same names.
import { digestHex } from '../prng.ts'

/** `max`: characters the venue lets a slug have. */
export const slugify = (text: string, max = 180): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, max)

/** A slug that is taken has the number of what it names behind it. */
export function uniqueSlug(slug: string, ordinal: number, taken: Set<string>): string {
  const free = taken.has(slug) ? `${slug}-${ordinal}` : slug
  taken.add(free)
  return free
}

/** A token as long as real ones: a 256-bit number in decimal. */
export const tokenOf = (name: string): string => BigInt(`0x${digestHex(name)}`).toString()
