// What a subscriber is sent when what was asked for cannot be looked up: the store that is away, if the failure names one.
import { Fault } from '#lib/fault'
import type { ErrorCode } from '#schemas/errors'

const stores: ReadonlySet<ErrorCode> = new Set(['CATALOG_UNAVAILABLE', 'HISTORY_UNAVAILABLE'])

export const lookUpRefusal = (cause: unknown): [code: ErrorCode, message: string] =>
  cause instanceof Fault && stores.has(cause.code)
    ? [cause.code, cause.message]
    : ['CATALOG_UNAVAILABLE', 'the catalog could not be queried; try again']
