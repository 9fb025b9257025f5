// What an acceptance says was matched at once: evidence that is kept, although the fills themselves are told by refresh.
import { z } from 'zod'
import { compareDecimals } from '#lib/decimal'

/** A field that is left out, or that cannot be read, never makes an acceptance less of one. */
export const MatchedSize = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d+(\.\d+)?$/))
  .nullish()
  .catch(null)

/** `most`: the size of the order, where the venue's unit may be another. */
export function matchedAtOnce(said: string | null | undefined, most?: string): { matchedSize?: string } {
  if (said == null || compareDecimals(said, '0') <= 0) return {}
  return { matchedSize: most !== undefined && compareDecimals(said, most) > 0 ? most : said }
}
