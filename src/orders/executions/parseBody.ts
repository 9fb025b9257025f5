// Parses a caller's body with the lane's own schema. The first error is reported with the field's name, never with its
// value.
import type { z } from 'zod'
import { findUnknown, nearestName } from '#core/didYouMean'
import { Fault } from '#core/fault'
import { formatIssues } from '#core/formatZodIssues'

export function parseBody<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  // An unknown field comes first: it explains why another is missing.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  throw new Fault(
    'VALIDATION_ERROR',
    `${formatIssues(issue === undefined ? [] : [issue])}${hintOf(issue, schema, value)}`,
  )
}

/** The field probably meant; none for a credential, which never belongs here. */
function hintOf(issue: z.core.$ZodIssue | undefined, schema: z.ZodType, value: unknown): string {
  if (issue?.code !== 'unrecognized_keys' || !/^unknown|^Unrecognized/.test(issue.message)) return ''
  const unknown = findUnknown(schema, value)
  const nearest = unknown === null ? undefined : nearestName(unknown.name, unknown.known)
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}
