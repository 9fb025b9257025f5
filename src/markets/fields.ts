// Words that several verbs share in their arguments.
import { z } from 'zod'

/** Ids are text, always: venues have 77-digit ids that no number holds. */
export const Id = z.string({ error: wordOfId }).min(1).max(256)

function wordOfId({ input, code }: { input?: unknown; code?: string }): string | undefined {
  if (input === undefined || input === '') return 'is required'
  return code === 'invalid_type' ? 'must be a string: ids are never numbers' : undefined
}

export const Text = z.string().min(1).max(512)

export const Limit = z.number().int().min(1)

/** Latest moment a Date can hold, epoch ms. */
const epochMsMax = 8_640_000_000_000_000
const iso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** ISO text or epoch milliseconds; read as epoch milliseconds. A time without a zone is UTC. */
export const Time = z.union([z.number(), z.string().max(64)]).transform((given, context) => {
  const ms = typeof given === 'number' ? given : epochMsOf(given)
  if (Number.isInteger(ms) && ms >= 0 && ms <= epochMsMax) return ms
  context.addIssue({ code: 'custom', message: 'must be an ISO time or epoch milliseconds' })
  return z.NEVER
})

function epochMsOf(text: string): number {
  if (/^\d{1,16}$/.test(text)) return Number(text)
  if (!iso.test(text)) return Number.NaN
  const zoned = text.length <= 10 || /(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`
  return Date.parse(zoned)
}

/** One tag or several; one is widened to a list. */
export const Tags = z
  .union([z.string().min(1).max(128), z.array(z.string().min(1).max(128)).min(1).max(32)])
  .transform((tags) => (typeof tags === 'string' ? [tags] : tags))

export const toIso = (epochMs: number | null): string | null =>
  epochMs === null ? null : new Date(epochMs).toISOString()
