// Lists of the Data API, version 2: an envelope, and cursors that are opaque, bound to their route, and keep the size of the first page.
// https://docs.polymarket.com/api-reference/data-api/overview
import { type LabReply, ok } from '../venueServer.ts'

export const refused = (error: string, parameter: string | null = null): LabReply => ({
  status: 400,
  body: { error, code: 'invalid_request', parameter, retryable: false, trace_id: '0'.repeat(32) },
})

export interface Place {
  limit: number
  offset: number
}

/** A reply instead of a place when the request is refused. */
export function placeOf(
  query: URLSearchParams,
  { route, standard, max }: { route: string; standard: number; max: number },
): Place | LabReply {
  if (query.has('offset')) return refused('offset is not supported; follow next_cursor', 'offset')
  const cursor = query.get('cursor')
  if (cursor !== null) return readCursor(route, cursor) ?? refused('invalid cursor', 'cursor')
  const limit = Number(query.get('limit') ?? standard)
  if (!Number.isInteger(limit) || limit < 1 || limit > max) return refused(`limit must be 1 to ${max}`, 'limit')
  return { limit, offset: 0 }
}

export const isReply = (place: Place | LabReply): place is LabReply => 'status' in place

/** `rows`: from the place on, one more than the page holds if there are more. */
export function pageOf(route: string, { limit, offset }: Place, rows: readonly unknown[]): LabReply {
  const more = rows.length > limit
  const next_cursor = more ? cursorOf(route, { limit, offset: offset + limit }) : null
  return ok({ data: rows.slice(0, limit), pagination: { limit, offset, has_more: more, next_cursor } })
}

const cursorOf = (type: string, { limit, offset }: Place): string =>
  Buffer.from(JSON.stringify({ data: { type, params: { l: limit, d: offset } } })).toString('base64url')

function readCursor(route: string, text: string): Place | null {
  try {
    const { type, params } = (JSON.parse(Buffer.from(text, 'base64url').toString()) as Cursor).data
    return type === route ? { limit: params.l, offset: params.d } : null
  } catch {
    // Not issued by the lab: refused like a forged one.
    return null
  }
}

interface Cursor {
  data: { type: string; params: { l: number; d: number } }
}
