// The part of GraphQL that novig's clients use: one query of fields with arguments and variables. No fragments, no aliases, no directives.

export type Value = string | number | boolean | null | Value[] | { [name: string]: Value }

export interface Field {
  name: string
  arguments: Readonly<Record<string, Value>>
  /** Empty for a column. */
  fields: readonly Field[]
}

/** Reported to the client as the venue words it. */
export class QueryError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const tokenForm = /[\s,]+|([{}()[\]:!$])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(.)/gy

/** The requested root fields. Throws QueryError for an invalid query. */
export function parseQuery(text: string, variables: Readonly<Record<string, Value>>): Field[] {
  const tokens = [...text.matchAll(tokenForm)].map(([token]) => token.trim()).filter((token) => /[^\s,]/.test(token))
  let at = 0
  const bad = (): QueryError =>
    new QueryError('validation-failed', `not a valid graphql query: at "${tokens[at] ?? 'end'}"`)
  const take = (expected?: string): string => {
    const token = tokens[at]
    if (token === undefined || (expected !== undefined && token !== expected)) throw bad()
    at++
    return token
  }
  const skipped = (token: string): boolean => tokens[at] === token && at++ >= 0

  function name(): string {
    if (!/^[A-Za-z_]/.test(tokens[at] ?? '')) throw bad()
    return take()
  }

  function value(): Value {
    if (skipped('$')) {
      const variable = name()
      if (!Object.hasOwn(variables, variable)) {
        throw new QueryError('validation-failed', `expecting a value for variable: "${variable}"`)
      }
      return variables[variable]!
    }
    if (skipped('[')) {
      const items: Value[] = []
      while (!skipped(']')) items.push(value())
      return items
    }
    if (skipped('{')) return members('}')
    const token = take()
    if (/^["\d-]/.test(token)) return JSON.parse(token) as Value
    if (!/^[A-Za-z_]/.test(token)) throw bad()
    return token === 'null' ? null : token === 'true' || token === 'false' ? token === 'true' : token
  }

  function members(end: string): Record<string, Value> {
    const object: Record<string, Value> = {}
    while (!skipped(end)) {
      const member = name()
      take(':')
      object[member] = value()
    }
    return object
  }

  function selection(): Field[] {
    const fields: Field[] = []
    take('{')
    while (!skipped('}')) {
      const field = name()
      const given = skipped('(') ? members(')') : {}
      fields.push({ name: field, arguments: given, fields: tokens[at] === '{' ? selection() : [] })
    }
    return fields
  }

  if (skipped('query')) {
    if (tokens[at] !== '{' && tokens[at] !== '(') name()
    if (skipped('(')) while (!skipped(')')) take()
  }
  const fields = selection()
  if (at < tokens.length) throw bad()
  return fields
}
