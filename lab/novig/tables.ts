// How a query applies to tables: conditions, order, limits, and the requested columns, in Hasura's terms.
import { type Field, QueryError, type Value } from './graphql.ts'

/** Columns by value; a function leads to another table: its rows, or one of them. */
export type Row = Readonly<Record<string, Value | (() => readonly Row[] | Row | null)>>
type Condition = { readonly [name: string]: Value }

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The rows selected by the arguments, each with the requested fields. */
export function query(table: string, rows: readonly Row[], { arguments: given, fields }: Field): Value[] {
  const { where, order_by: order, limit, offset } = given
  const fitting = rows.filter((row) => fits(table, row, (where ?? {}) as Condition))
  const [column, direction] = Object.entries((order ?? {}) as Record<string, string>)[0] ?? []
  if (column !== undefined) {
    const sign = direction === 'desc' ? -1 : 1
    fitting.sort((a, b) => (a[column]! < b[column]! ? -sign : sign))
  }
  const from = typeof offset === 'number' ? offset : 0
  const end = typeof limit === 'number' ? from + limit : undefined
  return fitting.slice(from, end).map((row) => pick(table, row, fields))
}

function pick(table: string, row: Row, fields: readonly Field[]): Value {
  if (fields.length === 0) throw new QueryError('validation-failed', `missing selection set for '${table}'`)
  return Object.fromEntries(
    fields.map((field) => {
      const value = columnOf(table, row, field.name)
      if (typeof value !== 'function') return [field.name, value]
      const related = value()
      if (related === null) return [field.name, null]
      const rows = Array.isArray(related)
      return [field.name, rows ? query(field.name, related, field) : pick(field.name, related as Row, field.fields)]
    }),
  )
}

function columnOf(table: string, row: Row, name: string): Row[string] {
  const value = row[name]
  if (value === undefined) throw new QueryError('validation-failed', `field '${name}' not found in type: '${table}'`)
  return value
}

function fits(table: string, row: Row, condition: Condition): boolean {
  return Object.entries(condition).every(([name, wanted]) => {
    if (name === '_and') return (wanted as Condition[]).every((each) => fits(table, row, each))
    if (name === '_or') return (wanted as Condition[]).some((each) => fits(table, row, each))
    const value = columnOf(table, row, name)
    if (typeof value !== 'function') return compares(value, name, wanted as Condition)
    const related = value()
    const rows = related === null ? [] : Array.isArray(related) ? related : [related as Row]
    return rows.some((each) => fits(name, each, wanted as Condition))
  })
}

function compares(value: Value, column: string, operators: Condition): boolean {
  return Object.entries(operators).every(([operator, wanted]) => {
    if (operator === '_is_null') return (value === null) === wanted
    const all = Array.isArray(wanted) ? wanted : [wanted]
    if (column === 'id' && !all.every((id) => uuidForm.test(String(id)))) {
      throw new QueryError('data-exception', `invalid input syntax for type uuid: "${String(wanted)}"`)
    }
    if (operator === '_eq' || operator === '_in') return all.includes(value)
    if (operator === '_neq' || operator === '_nin') return !all.includes(value)
    if (operator === '_gt') return value! > wanted!
    throw new QueryError('validation-failed', `unexpected operator '${operator}'`)
  })
}
