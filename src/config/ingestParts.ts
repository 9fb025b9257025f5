// Into how many parts the markets of a venue are split, so that several ingest processes feed it.
import { z } from 'zod'
import { partsMax } from '#schemas/parts'
import { builtVenues, sandboxVenues } from '#schemas/venues'
import { family } from './envReaders.ts'

/** Of all venues together: what readers of the tape commit with their offsets names every part. */
const allPartsMax = 64
const form = /^([a-z0-9_]+):(\d{1,3})$/

export const ingestParts = family(
  {
    /** A comma list of `venue:count`. Venues that are not named are fed whole. */
    CROSSBOOK_INGEST_PARTS: z
      .string()
      .default('')
      .transform((text, context) => {
        const parts = new Map<string, number>()
        const refuse = (message: string): void => context.addIssue({ code: 'custom', message })
        const words = text
          .split(',')
          .map((word) => word.trim())
          .filter((word) => word !== '')
        for (const word of words) {
          const found = form.exec(word)
          if (found === null) {
            refuse(`must be a comma list of venue:count, not "${word}"`)
            continue
          }
          const [venue, count] = [found[1]!, Number(found[2])]
          if (![...builtVenues, ...sandboxVenues].some((slug) => slug === venue)) refuse(`knows no venue "${venue}"`)
          if (parts.has(venue)) refuse(`names ${venue} twice`)
          if (count < 1 || count > partsMax) refuse(`${venue}: a venue has 1 to ${partsMax} parts, not ${count}`)
          parts.set(venue, count)
        }
        const split = [...parts.values()].reduce((sum, count) => sum + count, 0)
        if (split > allPartsMax) refuse(`names ${split} parts in all: at most ${allPartsMax} are supported`)
        return parts
      }),
  },
  (value): ReadonlyMap<string, number> => value.CROSSBOOK_INGEST_PARTS,
)
