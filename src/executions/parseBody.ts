// A lane's own schema on a caller's body. The first thing wrong is said with the field's name, never with its value.
import type { z } from 'zod'
import { Fault } from '#lib/fault'

export function parseBody<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const where = issue?.path.map(String).join('.') ?? ''
  const what = (issue?.message ?? 'invalid input').slice(0, 300)
  throw new Fault('VALIDATION_ERROR', where === '' ? what : `${where.slice(0, 100)}: ${what}`)
}
