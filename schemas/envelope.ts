// What stands beside `data` in an answer. Routes name the parts they give; docs and tests read them there.
import { z } from 'zod'

/** How old what is answered may be; null: unknown, or there is nothing. */
export const AsOf = z.iso.datetime().nullable()

/** Part of every provenance of a whole answer. */
export const labMark = {
  lab: z.literal(true).optional().describe('true: simulated venues'),
}

export const Provenance = z.object({ source: z.string(), ...labMark }).meta({ id: 'Provenance' })

export const stood = { asOf: AsOf, provenance: Provenance }

/** Absent on the last page. */
export const NextCursor = z.string().optional()

/** Of lists that say so at the end as well. */
export const Page = z
  .object({ limit: z.number().int(), hasMore: z.boolean(), nextCursor: z.string().nullable() })
  .meta({ id: 'Page' })
