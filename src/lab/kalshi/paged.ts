// Kalshi's paging: a bounded limit, a continuation cursor, and the refusal of invalid queries.
import { type LabReply, ok } from '../host.ts'
import { decodeCursor, encodeCursor, pageOf, type Selection } from '../paging.ts'

export const bad = (msg: string): LabReply => ({ status: 400, body: { msg } })

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
    return bad(`limit must be between 1 and ${limits.most}`)
  const { items, next } = pageOf(all, decodeCursor(query.get('cursor')) ?? 0, limit)
  return ok({ cursor: next === null ? '' : encodeCursor(next), [name]: items.map(row), ...extra })
}
