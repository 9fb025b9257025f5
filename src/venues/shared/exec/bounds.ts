// Whatever was true of an artifact at build must be true at submit. An artifact describes itself; at build, that description is stored as
// its bounds, together with other known facts. Submit compares it again: the order may have become cheaper or smaller, but not changed
// otherwise.
import { z } from 'zod'
import { compareDecimals, isOnStep, readDecimal } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionVenue } from '#schemas/venues'
import { violation } from './artifact.ts'
import { changedOption } from './orderOptions.ts'

/** For artifacts of one kind. */
export interface BoundsRule {
  /** The refusal of an artifact of another kind. */
  otherwise: string
  /** Fields that must be unchanged, with the message for each. */
  same: Readonly<Record<string, string>>
  /** For an order: the names of its price and size fields, decimal strings. */
  limits?: {
    price: string
    size: string
    /** The tick of the price: stored under this name with each order's bounds, or the same for every market. */
    tick?: 'tick' | { always: string }
    /** True: it pays at most `price`. False: it receives at least that. */
    wantsLow(found: JsonObject): boolean
  }
}

/** `boundsOf` throws when the artifact cannot be read; its `kind` selects the rule. */
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
    for (const [name, message] of Object.entries(rule.same)) {
      if (bounds[name] === undefined) throw unreadable(venue, name)
      if (found[name] !== bounds[name]) throw violation(venue, message)
    }
    const changed = changedOption(found.options, bounds.options)
    if (changed !== null) throw violation(venue, `its ${changed} is not as requested`)
    if (rule.limits !== undefined) checkLimits(venue, found, bounds, rule.limits)
  }

/** For comparisons a lane makes itself. */
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
  if (wantsLow(found) ? compared > 0 : compared < 0) throw violation(venue, 'the price is worse than requested')
  if (compareDecimals(decimalIn(found, size), decimalIn(bounds, size)) > 0) {
    throw violation(venue, `the ${size} is more than requested`)
  }
}

const unreadable = (venue: ExecutionVenue, detail: string) =>
  violation(venue, 'the bounds of this artifact cannot be read', detail)
