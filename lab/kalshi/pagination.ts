// Kalshi's paging: a bounded limit, a continuation cursor, and the refusal of invalid queries.

import { decodeCursor, encodeCursor, pageOf, type Selection } from '../pagination.ts'
import { type LabReply, ok } from '../venueServer.ts'

export const badRequest = (msg: string): LabReply => ({ status: 400, body: { msg } })

/** The last page's cursor is present and empty; an invalid cursor starts over, as observed. */
export function paged<T>(
  name: string,
  all: Selection<T>,
  query: URLSearchParams,
  limits: { most: number; usual: number },
  row: (item: T) => unknown,
  extra: Record<string, unknown> = {},
): LabReply {
  const limit = Number(query.get('limit') ?? limits.usual)
  if (!Number.isInteger(limit) || limit < 1 || limit > limits.most)
    return badRequest(`limit must be between 1 and ${limits.most}`)
  const { items, next } = pageOf(all, decodeCursor(query.get('cursor')) ?? 0, limit)
  return ok({ cursor: next === null ? '' : encodeCursor(next), [name]: items.map(row), ...extra })
}
