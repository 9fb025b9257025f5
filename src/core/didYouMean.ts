// Names in an input that its schema does not know. Dropped silently, a mistyped filter would match everything; so each is refused, with the
// name that was probably meant.
import type { z } from 'zod'

export interface UnknownName {
  /** Of the object that contains it. */
  path: readonly (string | number)[]
  name: string
  /** Names known there. */
  known: readonly string[]
}

/** The first unknown name in a value; null: all are known. */
type Look = (value: unknown) => UnknownName | null

/** By schema: null when nothing in it declares its keys. */
const looks = new WeakMap<z.ZodType, Look | null>()

/**
 * The first name in `value` that `schema` would drop or refuse; null: there is none. The content of a `looseObject` or a record is up to its
 * caller.
 */
export const findUnknown = (schema: z.ZodType, value: unknown): UnknownName | null => lookOf(schema)?.(value) ?? null

function lookOf(schema: z.ZodType): Look | null {
  const known = looks.get(schema)
  if (known !== undefined) return known
  const made = makeLook(schema)
  looks.set(schema, made)
  return made
}

interface Def {
  type: string
  shape?: Record<string, z.ZodType>
  catchall?: z.ZodType
  innerType?: z.ZodType
  in?: z.ZodType
  element?: z.ZodType
  options?: z.ZodType[]
}

function makeLook(schema: z.ZodType): Look | null {
  const def = schema.def as unknown as Def
  if (def.innerType !== undefined) return lookOf(def.innerType)
  if (def.type === 'pipe' && def.in !== undefined) return lookOf(def.in)
  if (def.type === 'object') return inObject(def.shape!, def.catchall)
  if (def.type === 'array') return inArray(def.element!)
  if (def.type === 'union') return inUnion(def.options!)
  return null
}

function inObject(shape: Record<string, z.ZodType>, catchall: z.ZodType | undefined): Look | null {
  const names = Object.keys(shape)
  const isClosed = catchall === undefined || catchall.def.type === 'never'
  const below = names.flatMap((name): [string, Look][] => {
    const look = lookOf(shape[name]!)
    return look === null ? [] : [[name, look]]
  })
  if (!isClosed && below.length === 0) return null
  return (value) => {
    if (!isPlainObject(value)) return null
    const unknown = isClosed ? Object.keys(value).find((name) => !Object.hasOwn(shape, name)) : undefined
    if (unknown !== undefined) return { path: [], name: unknown, known: names }
    for (const [name, look] of below) {
      const found = look(value[name])
      if (found !== null) return { ...found, path: [name, ...found.path] }
    }
    return null
  }
}

function inArray(element: z.ZodType): Look | null {
  const look = lookOf(element)
  if (look === null) return null
  return (value) => {
    if (!Array.isArray(value)) return null
    for (const [index, item] of value.entries()) {
      const found = look(item)
      if (found !== null) return { ...found, path: [index, ...found.path] }
    }
    return null
  }
}

/** A name known to one alternative is known. If several know none of it, the one that knows the most names decides. */
function inUnion(options: readonly z.ZodType[]): Look | null {
  const all = options.map((option) => ({ option, look: lookOf(option) }))
  if (all.every(({ look }) => look === null)) return null
  return (value) => {
    if (typeof value !== 'object' || value === null) return null
    let most: UnknownName | null = null
    for (const { option, look } of all) {
      if (look === null) {
        if (canBeObject(option)) return null
        continue
      }
      if (Array.isArray(value) !== canBeArray(option)) continue
      const found = look(value)
      if (found === null) return null
      if (most === null || found.known.length > most.known.length) most = found
    }
    return most
  }
}

const typeOf = (schema: z.ZodType): string => {
  const def = schema.def as unknown as Def
  const inner = def.innerType ?? (def.type === 'pipe' ? def.in : undefined)
  return inner === undefined ? def.type : typeOf(inner)
}
const canBeObject = (schema: z.ZodType): boolean =>
  ['object', 'record', 'unknown', 'any', 'custom'].includes(typeOf(schema))
const canBeArray = (schema: z.ZodType): boolean => typeOf(schema) === 'array'

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Names are compared without case and word separators. Longer ones are not typos. */
const comparedCharsMax = 64
const plain = (name: string): string =>
  name
    .slice(0, comparedCharsMax)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')

/** Share of a name's characters that may be wrong; one always may. */
const slipsShare = 1 / 3

/** The known name with the smallest edit distance; the first of equals; undefined when none is near: `foo` does not mean `limit`. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name)
  let best: { name: string; slips: number } | undefined
  for (const candidate of known) {
    const compared = plain(candidate)
    const slips = slipsBetween(wanted, compared)
    const slipsMax = Math.max(1, Math.floor(Math.max(wanted.length, compared.length) * slipsShare))
    if (slips > slipsMax || wanted === '') continue
    if (best === undefined || slips < best.slips) best = { name: candidate, slips }
  }
  return best?.name
}

/** Edit distance: insertions, deletions, substitutions, and transpositions. */
function slipsBetween(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      const areSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (areSwapped) row[j] = Math.min(row[j]!, before[j - 2]! + 1)
    }
    before = last
    last = row
  }
  return last[b.length]!
}

/** Known names listed when none is near. */
const namesListedMax = 12

/** The message for it. The name is the caller's own, quoted unchanged. */
export function suggestUnknown({ path, name, known }: UnknownName): string {
  const where = [...path, name].join('.').slice(0, 100)
  const nearest = nearestName(name, known)
  if (nearest !== undefined) return `${where}: is not known; did you mean ${nearest}?`
  if (known.length === 0) return `${where}: is not known; no fields are accepted here`
  const rest = known.length > namesListedMax ? ` and ${known.length - namesListedMax} more` : ''
  return `${where}: is not known; known are ${known.slice(0, namesListedMax).join(', ')}${rest}`
}
