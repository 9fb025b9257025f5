// Novig's older public GraphQL, raw: read only, no key. Its tables are queried in Hasura's terms; unknown things yield an empty list.
// https://docs.novig.com (odds screens), https://hasura.io/docs (queries)
import { byCursor } from '../../shared/data/pages.ts'
import { read, unreadable } from '../../shared/data/rest.ts'
import { fieldOf } from '../../shared/data/rows.ts'
import type { VenueContext } from '../../venueContext.ts'
import { firstId, isId } from '../ids.ts'
import { NovigAnswer } from '../wire.ts'

/** An event of the NFL has seventy markets. */
export const eventsPerPage = 10
const pageTimeoutMs = 30_000

const eventFields = `
  id description status
  game { scheduled_start league }
  markets {
    id description status type strike volume is_consensus updated_at
    player { full_name }
    outcomes { id index description status last available }
  }`

const eventsNotOver = `query Events($after: uuid!, $limit: Int!) {
  event(where: {status: {_nin: ["FINAL", "CANCELED"]}, id: {_gt: $after}}, order_by: {id: asc}, limit: $limit) {${eventFields}
  }
}`
const eventById = `query Event($id: uuid!) { event(where: {id: {_eq: $id}}) {${eventFields}\n} }`
const eventsById = `query Events($ids: [uuid!]!) { event(where: {id: {_in: $ids}}) {${eventFields}\n} }`
const eventOfMarket = `query Market($id: uuid!) { event(where: {markets: {id: {_eq: $id}}}) {${eventFields}\n} }`
const booksByOutcome = `query Books($ids: [uuid!]!) {
  market(where: {outcomes: {id: {_in: $ids}}}) {
    id
    outcomes {
      id last
      orders(where: {status: {_eq: "OPEN"}, currency: {_eq: "CASH"}}, order_by: {price: desc}) { status currency qty price }
    }
  }
}`

/** The venue's error for a query that took too long. */
const tooLong = 'time-limit-exceeded'

interface TableQuery {
  table: 'event' | 'market'
  query: string
  variables: Readonly<Record<string, unknown>>
}

/** Null when it took the venue too long. */
async function queryTable(context: VenueContext, { table, query, variables }: TableQuery): Promise<unknown[] | null> {
  const body = await read(context, {
    base: 'GQL',
    method: 'POST',
    path: '/v1/graphql',
    what: table,
    send: { query, variables },
    timeoutMs: pageTimeoutMs,
    isUnknown: () => false,
    body: NovigAnswer,
  })
  const [error] = body?.errors ?? []
  if (error?.extensions?.code === tooLong) return null
  const rows = body?.data?.[table]
  if (error !== undefined || rows === undefined) {
    throw unreadable(
      context,
      table,
      error === undefined ? 'no such list' : `${error.extensions?.code} ${error.message}`,
    )
  }
  return rows
}

async function queryTableOrThrow(context: VenueContext, tableQuery: TableQuery): Promise<unknown[]> {
  const rows = await queryTable(context, tableQuery)
  if (rows === null) throw unreadable(context, tableQuery.table, tooLong)
  return rows
}

/**
 * Everything not yet ended, in the order of ids: events that end meanwhile do not shift later ones. A page that takes too long is halved.
 */
export const eventPages = (context: VenueContext): AsyncIterable<unknown[]> =>
  byCursor(context, {
    list: 'events',
    read: (after) => eventPage(context, after ?? firstId),
    rowsOf: ({ rows }) => rows,
    cursorOf: ({ next }) => next,
  })

async function eventPage(context: VenueContext, after: string): Promise<{ rows: unknown[]; next: string | null }> {
  for (let limit = eventsPerPage; limit >= 1; limit = Math.floor(limit / 2)) {
    const rows = await queryTable(context, { table: 'event', query: eventsNotOver, variables: { after, limit } })
    if (rows === null) continue
    if (rows.length < limit) return { rows, next: null }
    const next = fieldOf(rows.at(-1), 'id')
    if (typeof next === 'string' && isId(next)) return { rows, next }
    throw unreadable(context, 'event', 'the last row of a page has no id')
  }
  throw unreadable(context, 'event', tooLong)
}

export const getEvent = (context: VenueContext, id: string) =>
  queryTableOrThrow(context, { table: 'event', query: eventById, variables: { id } })

/** Those that it knows, in any order. */
export const getEvents = (context: VenueContext, ids: readonly string[]) =>
  queryTableOrThrow(context, { table: 'event', query: eventsById, variables: { ids } })

export const getEventOfMarket = (context: VenueContext, id: string) =>
  queryTableOrThrow(context, { table: 'event', query: eventOfMarket, variables: { id } })

/** One row per market, with both of its ladders, whichever of its outcomes was named. */
export const getBooks = (context: VenueContext, outcomeIds: readonly string[]) =>
  queryTableOrThrow(context, { table: 'market', query: booksByOutcome, variables: { ids: outcomeIds } })
