// Whatever was true of an artifact at build must be true at submit. An artifact describes itself; at build, that description is stored as its bounds,
// with what else was known then. At submit it is compared again: it may have become cheaper or smaller, and nothing else.
import { z } from 'zod'
import { compareDecimals, isOnStep, readDecimal } from '#lib/decimal'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionVenue } from '#schemas/venues'
import { violation } from './artifact.ts'

/** Of artifacts of one kind. */
export interface BoundsRule {
  /** Said of an artifact of another kind. */
  otherwise: string
  /** What must be as it was, and what is said where it is not. */
  same: Readonly<Record<string, string>>
  /** Of an order: the names of its price and size, decimal strings. */
  limits?: {
    price: string
    size: string
    /** On which the price lies: stored with the bounds of each order under this name, or the same for every market. */
    tick?: 'tick' | { always: string }
    /** True: it pays `price` at most. False: it takes that at least. */
    wantsLow(found: JsonObject): boolean
  }
}

/** `boundsOf` throws where the artifact cannot be read; the `kind` in it names the rule. */
export const boundsChecker =
  (
    venue: ExecutionVenue,
    boundsOf: (unsigned: JsonObject) => JsonObject,
    rules: Readonly<Record<string, BoundsRule>>,
  ) =>
  (unsigned: JsonObject, bounds: JsonObject): void => {
    const found = boundsOf(unsigned)
    const kind = String(bounds.kind)
    const rule = Object.hasOwn(rules, kind) ? rules[kind] : undefined
    if (rule === undefined) throw unreadable(venue, 'kind')
    if (found.kind !== kind) throw violation(venue, rule.otherwise)
    for (const [name, saying] of Object.entries(rule.same)) {
      if (bounds[name] === undefined) throw unreadable(venue, name)
      if (found[name] !== bounds[name]) throw violation(venue, saying)
    }
    if (rule.limits !== undefined) checkLimits(venue, found, bounds, rule.limits)
  }

/** What a lane compares by itself. */
export function readBounds<S extends z.ZodType>(venue: ExecutionVenue, shape: S, bounds: JsonObject): z.output<S> {
  const parsed = shape.safeParse(bounds)
  if (parsed.success) return parsed.data
  throw unreadable(venue, z.prettifyError(parsed.error))
}

function checkLimits(
  venue: ExecutionVenue,
  found: JsonObject,
  bounds: JsonObject,
  { price, size, tick, wantsLow }: NonNullable<BoundsRule['limits']>,
): void {
  const decimalIn = (values: JsonObject, name: string): string => {
    const value = values[name]
    const text = typeof value === 'string' ? readDecimal(value) : null
    if (text === null) throw unreadable(venue, name)
    return text
  }
  const now = decimalIn(found, price)
  if (tick !== undefined) {
    const step = tick === 'tick' ? decimalIn(bounds, tick) : tick.always
    if (!isOnStep(now, step)) throw violation(venue, `the price is not a multiple of ${step}`)
  }
  const compared = compareDecimals(now, decimalIn(bounds, price))
  if (wantsLow(found) ? compared > 0 : compared < 0) throw violation(venue, 'the price is worse than what was asked')
  if (compareDecimals(decimalIn(found, size), decimalIn(bounds, size)) > 0) {
    throw violation(venue, `the ${size} is more than what was asked`)
  }
}

const unreadable = (venue: ExecutionVenue, detail: string) =>
  violation(venue, 'the bounds of this artifact cannot be read', detail)
