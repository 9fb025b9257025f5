// CROSSBOOK_<VENUE>_<NAME>: an operator's settings for one venue.
import { z } from 'zod'
import { executionVenues } from '#schemas/venues'

export const venueVariable = (venue: string, name: string): string =>
  `CROSSBOOK_${venue.toUpperCase().replaceAll('-', '_')}_${name}`

/** `settlement`: resolved positions are redeemed, and no order is taken. */
export type LaneArming = boolean | 'settlement'
export const laneArming = z
  .enum(['true', 'false', '1', '0', 'settlement'])
  .transform((word): LaneArming => (word === 'settlement' ? word : word === 'true' || word === '1'))

/** CROSSBOOK_<VENUE>_<NAME> of every venue of the execution routes that has one. */
export function readOfLanes<T>(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  shape: z.ZodType<T>,
): { found: Map<string, T>; wrong: string[] } {
  const found = new Map<string, T>()
  const wrong: string[] = []
  for (const venue of executionVenues) {
    const variable = venueVariable(venue, name)
    const text = environment[variable]
    if (text === undefined || text === '') continue
    const parsed = shape.safeParse(text)
    if (parsed.success) found.set(venue, parsed.data)
    else wrong.push(`${variable}: ${parsed.error.issues[0]!.message}`)
  }
  return { found, wrong }
}
