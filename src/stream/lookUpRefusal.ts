// The error sent to a subscriber when a look-up fails: names the unavailable store, if the failure does.
import { Fault } from '#core/fault'
import type { ErrorCode } from '#schemas/errors'

const stores: ReadonlySet<ErrorCode> = new Set(['CATALOG_UNAVAILABLE', 'HISTORY_UNAVAILABLE'])

export const lookUpRefusal = (cause: unknown): [code: ErrorCode, message: string] =>
  cause instanceof Fault && stores.has(cause.code)
    ? [cause.code, cause.message]
    : ['CATALOG_UNAVAILABLE', 'the catalog could not be queried; try again']
