// Requires every parameter to be known and given once; and the parameter types for times.
import { z } from 'zod'
import { findUnknown, suggestUnknown } from '#core/didYouMean'
import { Fault } from '#core/fault'
import type { QueryValues } from '#server/http/defineRoute'

/** ISO time or epoch ms; parsed together with the window. */
export const BookInstant = z.string().meta({ examples: ['2026-11-22T12:00:00Z'] })

export function singleValues(parameters: z.ZodType, query: QueryValues): Record<string, string> {
  const unknown = findUnknown(parameters, query)
  if (unknown !== null) throw new Fault('VALIDATION_ERROR', suggestUnknown(unknown))
  const single: Record<string, string> = {}
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'string') throw new Fault('VALIDATION_ERROR', `${name.slice(0, 64)}: is given more than once`)
    single[name] = value
  }
  return single
}
