// A row of a venue's list, read field by field: a field in an unexpected form costs that field, not the row. Only a field that the row cannot do
// without costs the row. Every dropped field is reported, so that changes of a venue's format are noticed.
import { z } from 'zod'
import type { VenueContext } from '../../venueContext.ts'

/** What a word or flag that decides about trading reads as when its form is unexpected. No venue uses it as a word. */
export const unreadableWord = '(unreadable)'

/**
 * Words and flags that decide whether a market trades. An unexpected form is not absence, which often means "as usual": the status of such a market
 * is unknown.
 */
export const StateWord = z.string().nullish().catch(unreadableWord)
export const StateFlag = z
  .boolean()
  .nullish()
  .catch(unreadableWord as never)

/** Whether one of the flags has an unexpected form. */
export const isUnreadable = (...flags: readonly unknown[]): boolean => flags.includes(unreadableWord)

interface RowOptions {
  /** Optional fields whose absence means something else than an unexpected form: the latter costs the row. */
  essential?: readonly string[]
}

/** `shape` with every optional field lenient. Refuses what lacks a required field. */
export function row<S extends z.ZodObject>(shape: S, { essential = [] }: RowOptions = {}) {
  const schema = z.unknown().transform((input, context): z.output<S> => {
    const strict = shape.safeParse(input)
    if (strict.success) {
      reportLost(input, strict.data)
      return strict.data
    }
    const repaired = repair(shape, input, strict.error.issues, essential)
    if (repaired !== null) return repaired
    for (const { path, message } of strict.error.issues) context.issues.push({ code: 'custom', path, message, input })
    return z.NEVER
  })
  // Its fields, as of any object's schema.
  return Object.assign(schema, { shape: shape.shape as S['shape'] })
}

/** Fields without a usable value are removed from the innermost outwards: one that is required takes what contains it along. */
function repair<S extends z.ZodObject>(
  shape: S,
  input: unknown,
  found: readonly z.core.$ZodIssue[],
  essential: readonly string[],
): z.output<S> | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null
  const copy: unknown = structuredClone(input)
  const removed = new Set<string>()
  let issues = found
  for (let round = 0; round < roundsMax; round++) {
    const goneNow: (readonly PropertyKey[])[] = []
    for (const { path } of issues) {
      if (goneNow.some((gone) => gone.every((key, n) => key === path[n]))) continue
      const gone = removeAt(copy, path, round === 0)
      if (gone === null || essential.includes(String(gone[0]))) return null
      goneNow.push(gone)
      removed.add(gone.filter((key) => typeof key === 'string').join('.'))
    }
    const parsed = shape.safeParse(copy)
    if (parsed.success) {
      for (const field of removed) listener?.(field)
      reportLost(copy, parsed.data)
      return parsed.data
    }
    issues = parsed.error.issues
  }
  return null
}

/** Each round removes at least one level of nesting; rows are not nested deeper. */
const roundsMax = 8

/** Returns the path of what was removed; null when the row itself would have to go. */
function removeAt(root: unknown, path: readonly PropertyKey[], asNull: boolean): readonly PropertyKey[] | null {
  const parents: unknown[] = [root]
  for (const key of path.slice(0, -1)) {
    const next = memberOf(parents.at(-1), key)
    if (typeof next !== 'object' || next === null) break
    parents.push(next)
  }
  for (let depth = Math.min(parents.length, path.length) - 1; depth >= 0; depth--) {
    const parent = parents[depth]
    const key = path[depth]!
    // A list without one of its members would be another list.
    if (Array.isArray(parent) || memberOf(parent, key) === undefined) continue
    // Null is what venues write for "none". A field that does not take it is removed.
    if (asNull && memberOf(parent, key) !== null) Reflect.set(parent as object, key, null)
    else Reflect.deleteProperty(parent as object, key)
    return path.slice(0, depth + 1)
  }
  return null
}

const memberOf = (parent: unknown, key: PropertyKey): unknown =>
  typeof parent === 'object' && parent !== null && Object.hasOwn(parent, key)
    ? (parent as Readonly<Record<PropertyKey, unknown>>)[key]
    : undefined

type Listener = (field: string) => void
/** Set while a row is parsed; parsing is synchronous. */
let listener: Listener | null = null

/** Calls `onLost` with the name of every field that `parse` gives up, nested ones as `a.b`. */
function listening<T>(onLost: Listener, parse: () => T): T {
  const before = listener
  listener = onLost
  try {
    return parse()
  } finally {
    listener = before
  }
}

/** Reports to the context which fields of rows `parse` gives up. */
export const countingLost = <T>({ lostField }: Pick<VenueContext, 'lostField'>, parse: () => T): T =>
  lostField === undefined ? parse() : listening(lostField, parse)

/** Reports fields to which the venue gave a value that was not taken over. */
function reportLost(raw: unknown, parsed: unknown): void {
  if (listener !== null) lost(raw, parsed, '', listener)
}

function lost(raw: unknown, parsed: unknown, name: string, report: Listener): void {
  if (raw === parsed || typeof parsed !== 'object' || parsed === null || typeof raw !== 'object' || raw === null) return
  if (Array.isArray(parsed)) {
    for (let n = 0; n < parsed.length; n++) lost(memberOf(raw, n), parsed[n], name, report)
    return
  }
  for (const [key, value] of Object.entries(raw)) {
    if (value === null || value === undefined) continue
    const taken = memberOf(parsed, key)
    const field = name === '' ? key : `${name}.${key}`
    if (taken === null || taken === unreadableWord) report(field)
    else lost(value, taken, field, report)
  }
}
