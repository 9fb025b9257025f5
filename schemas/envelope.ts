// Response fields next to `data`. Routes declare the ones they return; docs and tests read them from there.
import { z } from 'zod'

/** Age of the data in the response; null when unknown or when there is no data. */
export const AsOf = z.iso.datetime().nullable()

/** Part of the provenance of every complete response. */
export const labMark = {
  lab: z.literal(true).optional().describe('true: simulated venues'),
}

export const Provenance = z.object({ source: z.string(), ...labMark }).meta({ id: 'Provenance' })

export const snapshotFields = { asOf: AsOf, provenance: Provenance }

/** Absent on the last page. */
export const NextCursor = z.string().optional()

/** For lists that also mark their last page explicitly. */
export const Page = z
  .object({ limit: z.number().int(), hasMore: z.boolean(), nextCursor: z.string().nullable() })
  .meta({ id: 'Page' })
