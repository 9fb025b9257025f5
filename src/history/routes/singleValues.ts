// A query whose every name is given once.
import type { QueryValues } from '#http/defineRoute'
import { Fault } from '#lib/fault'

export function singleValues(query: QueryValues): Record<string, string> {
  const single: Record<string, string> = {}
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'string') throw new Fault('VALIDATION_ERROR', `${name.slice(0, 64)}: is given more than once`)
    single[name] = value
  }
  return single
}
