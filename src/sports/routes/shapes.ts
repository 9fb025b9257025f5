// Shared by the sports routes: parameters, positions, and conditional responses.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Fault } from '#core/fault'
import { FixtureStatus } from '#schemas/sports'
import type { RouteAnswer, TopLevelFields } from '#server/http/defineRoute'
import { clampedLimit, queryNumber } from '#server/http/queryNumbers'
import { VenueName } from '#server/http/venueName'
import type { FixtureFilter, FixturePosition } from '../fixtureIndex.ts'

const dayMs = 86_400_000
const beforeMs = 12 * 3_600_000
const aheadMs = 7 * dayMs
const spanMaxMs = 31 * dayMs

const limitDefault = 50
/** Larger limits are capped at this. */
const limitMax = 200

const Word = z.string().trim().min(1).max(200)
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/** An instant with seconds and zone, or a day: its UTC midnight. Epoch ms. */
export const Moment = z
  .string()
  .refine(
    (text) =>
      z.iso.date().safeParse(text).success ||
      (instant.test(text) && z.iso.datetime({ offset: true }).safeParse(text).success),
    'must be an instant with seconds and time zone (2026-05-10T19:20:00Z) or a day (2026-05-10)',
  )
  .transform((text) => Date.parse(text))

export const Statuses = z
  .string()
  .transform((text) => [...new Set(text.split(',').map((word) => word.trim()))])
  .pipe(z.array(FixtureStatus))

export const Limit = clampedLimit(limitDefault, limitMax)

/** Which fixtures; all filters are optional. */
export const filters = {
  /** Slug. */
  sport: Word.optional(),
  /** Id of a competition. */
  competition: Word.optional(),
  /** Id of a team, not a name. */
  team: Word.optional(),
  venue: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9_-]{1,64}$/, 'must be one venue')
    .pipe(VenueName)
    .optional(),
  status: Statuses.optional(),
}
export const window = { from: Moment.optional(), to: Moment.optional() }
export const block = {
  marketType: Word.default('moneyline'),
  period: Word.default('game'),
  slot: Word.default('game'),
}
export const Line = queryNumber({ min: -1_000_000, max: 1_000_000 }).optional()

interface FilterQuery {
  sport?: string | undefined
  competition?: string | undefined
  team?: string | undefined
  venue?: string | undefined
  status?: readonly z.infer<typeof FixtureStatus>[] | undefined
  from?: number | undefined
  to?: number | undefined
}

export function filterOf(
  { sport, competition, team, venue, status, ...given }: FilterQuery,
  now: number,
): FixtureFilter {
  const from = given.from ?? now - beforeMs
  const to = given.to ?? now + aheadMs
  if (to <= from) throw new Fault('VALIDATION_ERROR', 'to: must be after from')
  if (to - from > spanMaxMs) throw new Fault('VALIDATION_ERROR', 'to: must be within 31 days of from')
  return { sport, competition, team, venue, statuses: status, from, to }
}

/** A position in kickoff order. It need not be secret: a modified one only starts at another position. */
const Position = z.tuple([z.literal('kickoff'), z.int(), z.string().regex(/^fx_[0-9a-zA-Z_]{1,64}$/)])

export const cursorOf = ({ sortAt, fixtureId }: FixturePosition): string =>
  Buffer.from(JSON.stringify(['kickoff', sortAt, fixtureId])).toString('base64url')

export const Cursor = z
  .string()
  .max(512)
  .transform((text, context): FixturePosition => {
    const bytes = Buffer.from(text, 'base64url')
    const parsed = bytes.toString('base64url') === text ? Position.safeParse(jsonOf(bytes.toString())) : null
    if (parsed?.success === true) return { sortAt: parsed.data[1], fixtureId: parsed.data[2] }
    context.addIssue({ code: 'custom', message: 'is not a cursor of this list: start again without it' })
    return z.NEVER
  })
  .optional()

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not our cursor: the caller gets a validation error.
    return null
  }
}

/** Clients revalidate every time, and no shared cache stores it. */
const cacheControl = 'private, no-cache, must-revalidate'

/**
 * The answer with its tag, or 304 if the caller has it. `request`: makes the tag specific to this request. A degraded answer is always sent
 * in full: its age is what changed.
 */
export function tagged(
  request: unknown,
  data: unknown,
  siblings: TopLevelFields,
  { degraded, held }: { degraded: boolean; held: string | undefined },
): RouteAnswer {
  const text = JSON.stringify(data)
  const digest = createHash('sha256')
    .update(JSON.stringify([request, siblings.nextCursor ?? null]))
    .update(text)
    .digest('base64url')
  const etag = `W/"pss1:${digest.slice(0, 27)}"`
  const headers = { etag, 'cache-control': cacheControl }
  if (!degraded && held?.split(',').some((each) => each.trim() === etag) === true)
    return { raw: { contentType: null, body: '' }, status: 304, headers }
  return { rawData: Buffer.from(text), siblings, headers }
}
