// Checks a JSON sample against the schema of its page. `…` matches any value, within a text or in place of one; in place of
// members, it allows further ones.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { resolve } from '#test/support/openapiDocument'

export type Schema = Readonly<Record<string, unknown>>

const members = '…members'
const ajv = new Ajv2020({ strict: false, validateSchema: false })
addFormats.default(ajv)

/** Each JSON value in the text, in order. */
export function valuesIn(text: string): unknown[] {
  const values: unknown[] = []
  let open = ''
  for (const line of text.split('\n').filter((each) => each !== '')) {
    open += line
    const whole = open.replace(/([:,[{]\s*)…(?=\s*[,}\]])/g, (_, before: string) =>
      before.startsWith(':') || before.startsWith('[') ? `${before}"…"` : `${before}"${members}":"…"`,
    )
    try {
      values.push(JSON.parse(whole))
      open = ''
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  if (open !== '') throw new Error(`no JSON: ${open}`)
  return values
}

const isOpen = (value: unknown): boolean => typeof value === 'string' && /…|^<.+>$/.test(value)

/** The parts that the schema forbids; empty when there are none. */
export function misfits(value: unknown, given: Schema, document: object, at = ''): string[] {
  const schema = resolve(document, given) as Schema
  if (isOpen(value)) return []
  const any = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (any !== undefined) {
    const tried = any.map((each) => misfits(value, each, document, at))
    return tried.toSorted((a, b) => a.length - b.length)[0]!
  }
  const all = (schema.allOf as Schema[] | undefined)?.flatMap((each) => misfits(value, each, document, at))
  if (all !== undefined) return all
  if (Array.isArray(value)) {
    if (schema.items === undefined) return schema.type === 'array' ? [] : [`${at} is not a list`]
    return value.flatMap((each, i) => misfits(each, schema.items as Schema, document, `${at}[${i}]`))
  }
  if (typeof value === 'object' && value !== null && schema.properties !== undefined)
    return ofObject(value, schema, document, at)
  return ajv.validate(schema, value) ? [] : [`${at} ${ajv.errorsText()}`]
}

function ofObject(value: object, schema: Schema, document: object, at: string): string[] {
  const properties = schema.properties as Readonly<Record<string, Schema>>
  const isPart = members in value
  const missing = isPart ? [] : ((schema.required as string[] | undefined) ?? []).filter((name) => !(name in value))
  return [
    ...missing.map((name) => `${at}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, part]) => {
      if (name === members) return []
      const known = properties[name]
      if (known !== undefined) return misfits(part, known, document, `${at}.${name}`)
      return [`${at}.${name} is not known`]
    }),
  ]
}
