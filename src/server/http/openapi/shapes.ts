// All zod schemas of the document as JSON Schema, in a single zod walk: a named schema (`.meta({ id })`) is a component, defined once however
// often it is used.
import { z } from 'zod'

export type Json = Record<string, unknown>
/** `input`: as callers send it, before defaults and transforms. `output`: as returned. */
export type Io = 'input' | 'output'

export interface Shapes {
  /** Of a schema that was given. */
  of(schema: z.ZodType, io: Io): Json
  /** The component behind a reference. */
  named(ref: string): Json
  /** By name. */
  components: Readonly<Record<string, Json>>
}

export interface ShapesOptions {
  /** Forbids unnamed fields in answers: for tests. Clients must expect more fields in later versions. */
  closed: boolean
}

export function shapesOf(schemas: Readonly<Record<Io, Iterable<z.ZodType>>>, { closed }: ShapesOptions): Shapes {
  const input = walk(schemas.input, 'input', false)
  const output = walk(schemas.output, 'output', !closed)
  const twofold = differing(input.components, output.components)
  const nameIn = (name: string): string => (twofold.has(name) ? `${name}Input` : name)
  const renamed = (schema: Json): Json => mapRefs(schema, nameIn)
  const components: Record<string, Json> = { ...output.components }
  for (const [name, schema] of Object.entries(input.components)) components[nameIn(name)] = renamed(schema)
  const inputs = new Map([...input.shapes].map(([schema, shape]) => [schema, renamed(shape)]))
  return {
    components: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    named(ref) {
      const found = components[ref.slice(refPrefix.length)]
      if (found === undefined) throw new Error(`${ref} is not defined`)
      return found
    },
    of(schema, io) {
      const shape = (io === 'input' ? inputs : output.shapes).get(schema)
      if (shape === undefined) throw new Error('a schema of the document was not collected')
      return shape
    },
  }
}

interface Walked {
  shapes: ReadonlyMap<z.ZodType, Json>
  components: Readonly<Record<string, Json>>
}

const refPrefix = '#/components/schemas/'

/** As members of one object, so that all of them share names. */
function walk(schemas: Iterable<z.ZodType>, io: Io, open: boolean): Walked {
  const members = [...new Set(schemas)]
  const whole = z.object(Object.fromEntries(members.map((schema, index) => [`s${index}`, schema])))
  const described = z.toJSONSchema(whole, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      plainer(jsonSchema as Json, open)
      // Zod omits them for transformed schemas; they describe the input.
      const examples = examplesOf(zodSchema as unknown as z.ZodType)
      if (io === 'input' && examples.length > 0) (jsonSchema as Json).examples = examples
    },
  })
  const text = JSON.stringify({ properties: described.properties, defs: described.$defs ?? {} })
  const { properties, defs } = JSON.parse(text.replaceAll('"#/$defs/', `"${refPrefix}`)) as {
    properties: Record<string, Json>
    defs: Record<string, Json>
  }
  for (const definition of Object.values(defs)) delete definition.id
  return { shapes: new Map(members.map((schema, index) => [schema, properties[`s${index}`]!])), components: defs }
}

/** From `.meta({ examples })`. */
export const examplesOf = (schema: z.ZodType): readonly unknown[] =>
  (schema.meta()?.examples as readonly unknown[] | undefined) ?? []

/** Only optional flags need it: openapi-python-client's output for an untyped `const: true` does not compile. */
function typedWhereOptional(schema: Json): void {
  const required = (schema.required ?? []) as readonly string[]
  for (const [name, value] of Object.entries((schema.properties ?? {}) as Record<string, Json>))
    if (typeof value.const === 'boolean' && !required.includes(name)) value.type = 'boolean'
}

/** Removes uninformative parts: bounds of the number type itself, types of property names, and patterns of named formats. */
function plainer(schema: Json, open: boolean): void {
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames
  orNull(schema)
  oneOfWords(schema)
  // A single value implies its type.
  if (schema.const !== undefined) delete schema.type
  typedWhereOptional(schema)
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (named.has(schema.format)) delete schema.pattern
  // Implied by its encoding.
  if (schema.format === 'base64') delete schema.format
  if (open && schema.additionalProperties === false) delete schema.additionalProperties
}

/** A nullable plain value gets an additional type instead of a union. */
function orNull(schema: Json): void {
  const [one, other, ...rest] = (schema.anyOf as Json[] | undefined) ?? []
  if (one === undefined || other?.type !== 'null' || rest.length > 0) return
  if (!plain.has(one.type) || one.enum !== undefined || one.const !== undefined) return
  delete schema.anyOf
  const { type, ...bounds } = one
  Object.assign(schema, { type: [type, 'null'] }, bounds)
}

/** Only the value, with or without its type. */
const bare = ({ const: _, type: __, ...more }: Json): boolean => Object.keys(more).length === 0

/** A union of single values becomes an enum. */
function oneOfWords(schema: Json): void {
  const parts = (schema.anyOf as Json[] | undefined) ?? []
  const [first] = parts
  const typeOf = (part: Json | undefined): string => typeof part?.const
  const isWord = (part: Json): boolean => typeOf(part) !== 'object' && typeOf(part) === typeOf(first)
  if (first === undefined || !parts.every((part) => part.const !== undefined && isWord(part) && bare(part))) return
  delete schema.anyOf
  Object.assign(schema, { type: typeOf(first), enum: parts.map((part) => part.const) })
}

const plain: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean'])

const named: ReadonlySet<unknown> = new Set(['date-time', 'date', 'uuid', 'email', 'uri'])

/** Names whose shape depends on the direction, with everything that refers to them. */
function differing(input: Walked['components'], output: Walked['components']): ReadonlySet<string> {
  const both = Object.keys(input).filter((name) => output[name] !== undefined)
  const found = new Set(both.filter((name) => JSON.stringify(input[name]) !== JSON.stringify(output[name])))
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const name of Object.keys(input)) {
      mapRefs(input[name]!, (to) => {
        if (found.has(to) && output[name] !== undefined) found.add(name)
        return to
      })
    }
  }
  return found
}

/** A copy that refers to components by other names. */
export function mapRefs<T>(value: T, nameOf: (name: string) => string): T {
  if (Array.isArray(value)) return value.map((each) => mapRefs(each, nameOf)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === '$ref' && typeof each === 'string' && each.startsWith(refPrefix)
        ? refPrefix + nameOf(each.slice(refPrefix.length))
        : mapRefs(each, nameOf),
    ]),
  ) as T
}

export const refTo = (name: string): Json => ({ $ref: refPrefix + name })
