// Lists the account's conditional orders, and reads one with all its events.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { ConditionalOrder, ConditionalStatus, FireMode } from '#schemas/conditional'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import { TradedVenue } from '#server/http/venueName'
import { conditionalOf, eventOf } from '#storage/postgres/conditional/conditionalRow'
import { noSuchOrder } from '../cancelAndReport.ts'
import type { ConditionalRouteDeps } from '../ports.ts'
import { access, ConditionalPath, callerOf, conditionalErrors } from './shapes.ts'

const limitDefault = 50
/** Larger limits are capped at this. */
const limitMax = 200

/** `all`, or comma-separated statuses. Null: all. */
const Statuses = z
  .string()
  .default('all')
  .transform((text, context): ConditionalStatus[] | null => {
    if (text === 'all') return null
    const parsed = z.array(ConditionalStatus).safeParse(text.split(',').map((word) => word.trim()))
    if (parsed.success) return parsed.data
    context.addIssue({ code: 'custom', message: `must be all, or some of ${ConditionalStatus.options.join(', ')}` })
    return z.NEVER
  })

export const listConditionals = defineRoute({
  operationId: 'listConditionals',
  method: 'get',
  path: '/v1/exec/conditional',
  family: 'conditional',
  access: { ...access, credits: 1, anywhere: true },
  summary: 'The account’s conditional orders across venues, newest first',
  tag: 'execution',
  query: z.object({
    status: Statuses,
    venue: TradedVenue.optional(),
    fireMode: z.enum(['all', ...FireMode.options]).default('all'),
    /** The last order of the previous page. */
    cursor: z.string().optional(),
    limit: clampedLimit(limitDefault, limitMax),
  }),
  data: z.array(ConditionalOrder),
  topLevelFields: { meta: z.object({ nextCursor: z.uuid().nullable() }) },
  errors: ['EXCHANGE_NOT_AVAILABLE', 'EXEC_UNAVAILABLE'],
  async handle(input, { conditional: { store } }: ConditionalRouteDeps) {
    const { status, venue, fireMode, cursor, limit } = input.query
    const { accountId } = callerOf(input)
    const rows = await store.list({
      accountId,
      statuses: status,
      venue: venue ?? null,
      fireMode: fireMode === 'all' ? null : fireMode,
      before: cursor === undefined ? null : await positionOf(store, accountId, cursor),
      limit: limit + 1,
    })
    const page = rows.slice(0, limit)
    const nextCursor = rows.length > limit ? page.at(-1)!.id : null
    return { data: page.map(conditionalOf), siblings: { meta: { nextCursor } } }
  },
})

/** A cursor is an order's random id and works only for that order's owner: a modified or foreign one matches nothing here. */
async function positionOf(
  store: ConditionalRouteDeps['conditional']['store'],
  accountId: string,
  cursor: string,
): Promise<string> {
  const last = z.uuid().safeParse(cursor).success ? await store.find(accountId, cursor) : null
  if (last === null) throw new Fault('VALIDATION_ERROR', 'cursor is not valid for this query: start again without it')
  return last.seq
}

export const getConditional = defineRoute({
  operationId: 'getConditional',
  method: 'get',
  path: '/v1/exec/conditional/{id}',
  family: 'conditional',
  access: { ...access, credits: 1, anywhere: true },
  summary: 'One conditional order with its events',
  tag: 'execution',
  params: ConditionalPath,
  data: ConditionalOrder,
  errors: conditionalErrors,
  async handle(input, { conditional: { store } }: ConditionalRouteDeps) {
    const { id } = input.params
    const row = await store.find(callerOf(input).accountId, id)
    if (row === null) throw noSuchOrder()
    return { data: { ...conditionalOf(row), events: (await store.listEvents(id)).map(eventOf) } }
  },
})
