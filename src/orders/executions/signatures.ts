// What an owner signs, and which fields of a submit add nothing beyond the artifact they belong to.
import type { JsonObject } from '#schemas/executions'
import type { ExecutionAdapter } from '#venues/lane'

const signatures: ReadonlySet<string> = new Set([
  'signature',
  'permitSignature',
  'signedTransaction',
  'transactionHash',
])

/** True when the data kept to fire an order later unlocks nothing else: it contains no credential of its caller. */
export const canFireHosted = ({ submit }: Pick<ExecutionAdapter, 'submit'>): boolean =>
  submit?.fields.every((field) => signatures.has(field)) === true

export const isSigned = (submitted: JsonObject): boolean =>
  Object.keys(submitted).some((field) => signatures.has(field))

/** What was sent, in a form that cannot be sent again, so a copy of the database sends no order. */
export const withoutSignature = (submitted: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(submitted).filter(([field]) => !signatures.has(field)))
