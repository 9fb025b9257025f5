// How clients of the API family pass arguments: an `args` array, one object, or a query string. All three become one record of named
// values, which the verb's schema validates. The meaning of a value is declared: a `string` never becomes a number.
import type { z } from 'zod'
import { Fault } from '#core/fault'
import { parseDecimalNumber } from '#core/parseDecimal'
import type { QueryValues } from '#server/http/defineRoute'
import { parseJsonBody } from '#server/http/jsonBody'
import type { Argument } from '../defineVerb.ts'

type Named = Record<string, unknown>
type Kind = Exclude<Argument['kind'], 'object'>

export interface CallingConvention {
  fromQuery(query: QueryValues): Named
  fromBody(body: unknown): Named
}

export function conventionOf(args: readonly Argument[], schema: z.ZodObject): CallingConvention {
  const kinds = new Map<string, Kind>()
  for (const [name, field] of Object.entries(schema.shape)) kinds.set(name, kindOf(field as z.ZodType))
  const names = new Map<string, string>()
  for (const argument of args) {
    if (argument.kind !== 'object') kinds.set(argument.name, argument.kind)
    // An alias yields to a field of that very name.
    for (const alias of argument.aliases ?? []) if (!kinds.has(alias)) names.set(alias, argument.name)
  }

  const merge = (into: Named, values: Readonly<Record<string, unknown>>): void => {
    for (const [given, value] of Object.entries(values)) {
      if (value === undefined || value === null || given === 'args') continue
      if (given === 'credentials') refuseCredentials()
      const name = names.get(given) ?? given
      if (name !== given && values[name] !== undefined) continue
      into[name] = kinds.get(name) === 'strings' && typeof value === 'string' ? [value] : value
    }
  }

  return {
    fromQuery(query) {
      const read: Named = {}
      for (const [given, value] of Object.entries(query))
        read[given] = fromText(kinds.get(names.get(given) ?? given), value)
      const named: Named = {}
      merge(named, read)
      return named
    },
    fromBody(body) {
      const named: Named = {}
      if (body === undefined || body === null) return named
      if (!isPlainObject(body))
        throw new Fault('VALIDATION_ERROR', 'the body must be an object: {"args": […]} or named arguments')
      if (body.credentials !== undefined && body.credentials !== null) refuseCredentials()
      if (body.args === undefined || body.args === null) merge(named, body)
      else if (Array.isArray(body.args)) {
        rejectExtraFields(body)
        readPositions(args, body.args, named, merge)
      } else throw new Fault('VALIDATION_ERROR', 'args: must be an array')
      return named
    },
  }
}

/** They would be ignored there, although the caller expects them to apply. */
function rejectExtraFields(body: Readonly<Record<string, unknown>>): void {
  const extraName = Object.keys(body).find(
    (name) => !reserved.has(name) && body[name] !== undefined && body[name] !== null,
  )
  if (extraName === undefined) return
  throw new Fault(
    'VALIDATION_ERROR',
    `${extraName.slice(0, 100)}: is not accepted next to args; put it in the object inside args`,
  )
}
const reserved: ReadonlySet<string> = new Set(['args', 'credentials'])

function readPositions(
  args: readonly Argument[],
  values: readonly unknown[],
  named: Named,
  merge: (into: Named, values: Named) => void,
): void {
  for (const [index, value] of values.entries()) {
    if (value === undefined || value === null) continue
    const argument = args[index]
    if (argument === undefined) throw new Fault('VALIDATION_ERROR', `args: takes at most ${args.length}`)
    const takesObject = argument.kind === 'json' || argument.kind === 'text-or-json'
    if (isPlainObject(value) && !takesObject) merge(named, value)
    else if (argument.kind === 'object') throw new Fault('VALIDATION_ERROR', `args.${index}: must be an object`)
    else merge(named, { [argument.name]: value })
  }
}

/** Reads need none, and a data route that accepted them would have to keep them out of every log. */
function refuseCredentials(): never {
  throw new Fault('VALIDATION_ERROR', 'credentials: venue credentials are never accepted on this route')
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Wrappers are unwrapped; a union that may be an object is parsed as JSON when the text looks like it. */
function kindOf(schema: z.ZodType): Kind {
  const def = schema.def as { type: string; innerType?: z.ZodType; in?: z.ZodType; options?: z.ZodType[] }
  if (def.innerType !== undefined) return kindOf(def.innerType)
  if (def.type === 'pipe' && def.in !== undefined) return kindOf(def.in)
  if (def.type === 'number' || def.type === 'boolean') return def.type
  if (def.type === 'array' || def.type === 'object') return 'json'
  if (def.type === 'union')
    return def.options?.some((option) => kindOf(option) === 'json' && option.def.type === 'object')
      ? 'text-or-json'
      : 'string'
  return 'string'
}

function fromText(kind: Kind | undefined, value: string | string[]): unknown {
  if (Array.isArray(value)) return kind === 'strings' ? value.flatMap(splitList) : value
  if (kind === undefined || kind === 'string') return value
  if (kind === 'strings') return splitList(value)
  if (kind === 'number') return numberOf(value)
  if (kind === 'boolean')
    return value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value
  const looksLikeJson = value.startsWith('{') || value.startsWith('[')
  return looksLikeJson ? parseJsonBody(Buffer.from(value)) : value
}

/** Text that is not a number stays text, for the schema to refuse or accept. */
function numberOf(text: string): unknown {
  return parseDecimalNumber(text) ?? text
}

/** `a,b` or `["a","b"]`. Split as text: `[7132…]` must not pass through a number. */
function splitList(text: string): string[] {
  const inner = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  const items = inner.split(',').map((item) => item.trim())
  return items
    .map((item) => (item.length > 1 && item.startsWith('"') && item.endsWith('"') ? item.slice(1, -1) : item))
    .filter((item) => item !== '')
}
