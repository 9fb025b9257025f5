// What an acceptance says was matched at once: kept as evidence, although refresh reports the fills themselves.
import { z } from 'zod'
import { compareDecimals } from '#lib/decimal'
import type { RelayOutcome } from '../../lane.ts'

/** A field that is left out, or that cannot be read, never makes an acceptance less of one. */
export const MatchedSize = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d+(\.\d+)?$/))
  .nullish()
  .catch(null)

type Said = string | null | undefined
export type Accepted = Extract<RelayOutcome, { kind: 'accepted' }>

/**
 * `acked` also where it filled at once: refresh brings the fills with the transition, and so each is counted once. `most`: the size of the
 * order, where the venue's unit may be another.
 */
export const accepted = (venueRef: string | null, said?: Said, most?: string): Accepted => ({
  kind: 'accepted',
  venueRef,
  status: 'acked',
  fills: [],
  ...matchedAtOnce(said, most),
})

function matchedAtOnce(said: Said, most?: string): { matchedSize?: string } {
  if (said == null || compareDecimals(said, '0') <= 0) return {}
  return { matchedSize: most !== undefined && compareDecimals(said, most) > 0 ? most : said }
}
