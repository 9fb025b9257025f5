// What an acceptance reports as matched at once: kept as evidence, although refresh reports the fills themselves.
import { z } from 'zod'
import { compareDecimals } from '#core/decimal'
import type { RelayOutcome } from '../../lane.ts'

/** A missing or unreadable field never invalidates an acceptance. */
export const MatchedSize = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d+(\.\d+)?$/))
  .nullish()
  .catch(null)

type ReportedSize = string | null | undefined
export type Accepted = Extract<RelayOutcome, { kind: 'accepted' }>

/**
 * `acked` even when it filled at once: refresh brings the fills with the transition, so each is counted once. `most`: the size of the
 * order, when the venue's unit may differ.
 */
export const filledSize = (venueRef: string | null, reportedSize?: ReportedSize, most?: string): Accepted => ({
  kind: 'accepted',
  venueRef,
  status: 'acked',
  fills: [],
  ...matchedAtOnce(reportedSize, most),
})

function matchedAtOnce(reportedSize: ReportedSize, most?: string): { matchedSize?: string } {
  if (reportedSize == null || compareDecimals(reportedSize, '0') <= 0) return {}
  return { matchedSize: most !== undefined && compareDecimals(reportedSize, most) > 0 ? most : reportedSize }
}
