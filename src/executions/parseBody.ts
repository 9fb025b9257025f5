// A lane's own schema on a caller's body. The first thing wrong is said with the field's name, never with its value.
import type { z } from 'zod'
import { Fault } from '#lib/fault'
import { issueWords } from '#lib/issueWords'
import { findUnknown, nearestName } from '#lib/unknownNames'

export function parseBody<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  // A name that is not known comes first: it is why another is missing.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  throw new Fault(
    'VALIDATION_ERROR',
    `${issueWords(issue === undefined ? [] : [issue])}${hintOf(issue, schema, value)}`,
  )
}

/** The field that was probably meant; none for a credential, which belongs nowhere here. */
function hintOf(issue: z.core.$ZodIssue | undefined, schema: z.ZodType, value: unknown): string {
  if (issue?.code !== 'unrecognized_keys' || !/^unknown|^Unrecognized/.test(issue.message)) return ''
  const unknown = findUnknown(schema, value)
  const nearest = unknown === null ? undefined : nearestName(unknown.name, unknown.known)
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}
