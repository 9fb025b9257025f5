// Reads back a stored artifact, which by then is untrusted data.
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionVenue } from '#schemas/venues'

export const violation = (venue: ExecutionVenue, message: string, detail?: string): Fault =>
  new Fault('ARTIFACT_BOUNDS_VIOLATION', message, { exchange: venue, detail })

/** `shape`: every artifact the lane builds, strict. Throws ARTIFACT_BOUNDS_VIOLATION. */
export const artifactReader =
  <S extends z.ZodType>(venue: ExecutionVenue, shape: S) =>
  (unsigned: JsonObject): z.output<S> => {
    const parsed = shape.safeParse(unsigned)
    if (parsed.success) return parsed.data
    throw violation(venue, 'the artifact does not have a shape that this lane builds', z.prettifyError(parsed.error))
  }
