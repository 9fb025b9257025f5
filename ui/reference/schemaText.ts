// A schema as text: the type of a value, and its bounds. Pure.
import { referenceOf, resolve, type Schema } from './documents.ts'

/** A field of an object, an item of a list, or one of several forms. */
export interface Part {
  name: string
  schema: Schema
  isRequired: boolean
}

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)
const schemasIn = (value: unknown): Schema[] => (Array.isArray(value) ? (value as Schema[]) : [])

export function typeText(document: unknown, schema: Schema): string {
  const reference = referenceOf(schema)
  if (reference !== null) return nameOf(reference)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((each) => JSON.stringify(each)).join(' | ')
  const forms = formsOf(schema)
  if (forms.length > 0)
    return forms.length > formsNamed
      ? `one of ${forms.length} forms`
      : forms.map((form) => typeText(document, form)).join(' | ')
  const types = Array.isArray(schema.type)
    ? schema.type.map(String)
    : schema.type === undefined
      ? []
      : [String(schema.type)]
  if (types.includes('array') && schema.items !== undefined)
    return [...types.filter((type) => type !== 'array').map(String), `${typeText(document, schema.items as Schema)}[]`]
      .reverse()
      .join(' | ')
  if (types.length === 0) return schema.properties === undefined ? 'any' : 'object'
  return `${types.join(' | ')}${schema.format === undefined ? '' : ` (${String(schema.format)})`}`
}

const formsNamed = 4

export const formsOf = (schema: Schema): Schema[] => [...schemasIn(schema.anyOf), ...schemasIn(schema.oneOf)]

const bounds: readonly [keyword: string, words: string][] = [
  ['minimum', '≥'],
  ['exclusiveMinimum', '>'],
  ['maximum', '≤'],
  ['exclusiveMaximum', '<'],
  ['minLength', 'length ≥'],
  ['maxLength', 'length ≤'],
  ['minItems', 'items ≥'],
  ['maxItems', 'items ≤'],
  ['pattern', 'matches'],
  ['default', 'default'],
]

/** Bounds of a value; those implied by a safe integer are left out. */
export const constraintText = (schema: Schema): string =>
  bounds
    .filter(
      ([keyword]) => schema[keyword] !== undefined && Math.abs(Number(schema[keyword])) !== Number.MAX_SAFE_INTEGER,
    )
    .map(
      ([keyword, words]) =>
        `${words} ${typeof schema[keyword] === 'object' ? JSON.stringify(schema[keyword]) : String(schema[keyword])}`,
    )
    .join(', ')

/** The parts of a value; none: it is plain. */
export function partsOf(document: unknown, given: Schema): Part[] {
  const schema = resolve<Schema>(document, given)
  if (schema === null || typeof schema !== 'object') return []
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  const own = Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, field]) => ({
    name,
    schema: field,
    isRequired: required.includes(name),
  }))
  const together = schemasIn(schema.allOf).flatMap((each) => partsOf(document, each))
  const forms = formsOf(schema)
    .filter((form) => partsOf(document, form).length > 0)
    .map((form, i) => ({ name: titleOf(document, form, i), schema: form, isRequired: false }))
  const items = schema.items === undefined ? [] : partsOf(document, schema.items as Schema)
  const others =
    typeof schema.additionalProperties === 'object' && schema.additionalProperties !== null
      ? [{ name: 'any other name', schema: schema.additionalProperties as Schema, isRequired: false }]
      : []
  return [...own, ...together, ...forms, ...items, ...others]
}

/** A form is named by its reference, or by the one constant that distinguishes it. */
function titleOf(document: unknown, form: Schema, i: number): string {
  const reference = referenceOf(form)
  if (reference !== null) return nameOf(reference)
  const word = partsOf(document, form).find(({ schema }) => 'const' in schema || Array.isArray(schema.enum))
  return word === undefined ? `form ${i + 1}` : `${word.name}: ${typeText(document, word.schema)}`
}
