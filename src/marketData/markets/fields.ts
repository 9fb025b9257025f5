// Fields shared by the arguments of several verbs.
import { z } from 'zod'
import { parseTimestamp } from '#core/timestamp'

/** Ids are always text: venues have 77-digit ids that no number holds. */
export const Id = z.string({ error: wordOfId }).min(1).max(256)

function wordOfId({ input, code }: { input?: unknown; code?: string }): string | undefined {
  if (input === undefined || input === '') return 'is required'
  return code === 'invalid_type' ? 'must be a string: ids are never numbers' : undefined
}

export const Text = z.string().min(1).max(512)

export const Limit = z.number().int().min(1)

/** ISO text or epoch milliseconds; parsed to epoch milliseconds. A time without a zone is UTC. */
export const Time = z
  .union([z.number(), z.string().max(64)])
  .transform((given, context) => {
    const moment = parseTimestamp(given)
    if ('ms' in moment) return moment.ms
    context.addIssue({ code: 'custom', message: moment.refusal })
    return z.NEVER
  })
  .meta({ id: 'Time', examples: ['2026-11-22T12:00:00Z'] })

/** One tag or several; a single one is wrapped in a list. */
export const Tags = z
  .union([z.string().min(1).max(128), z.array(z.string().min(1).max(128)).min(1).max(32)])
  .transform((tags) => (typeof tags === 'string' ? [tags] : tags))

export const toIso = (epochMs: number | null): string | null =>
  epochMs === null ? null : new Date(epochMs).toISOString()
