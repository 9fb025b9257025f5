// The orders of a paper account as the paper exchange has them, and a cancel that needs no artifact.
import { z } from 'zod'
import { cursorBinding } from '#core/cursor'
import { NextCursor } from '#schemas/envelope'
import { PaperOrder } from '#schemas/paper'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import { TradedVenue } from '#server/http/venueName'
import type { PaperRouteDeps } from '../accounts/ports.ts'
import { notFound, notOpen } from '../lane/index.ts'
import { orderOf, paperCallerOf, tag } from './shapes.ts'

const limitDefault = 50
/** Larger limits are capped at this. */
const limitMax = 200
const OrderPath = z.object({ executionId: z.uuid() })

export const listPaperOrders = defineRoute({
  operationId: 'listPaperOrders',
  method: 'get',
  path: '/v1/paper/orders',
  access: { scope: 'read', credits: 1 },
  summary: 'The orders of a paper account, newest first, with their place in the queue',
  tag,
  query: z.object({
    venue: TradedVenue.optional(),
    state: z.literal('working').optional().describe('only those that work'),
    cursor: z.string().optional(),
    limit: clampedLimit(limitDefault, limitMax),
  }),
  data: z.array(PaperOrder),
  topLevelFields: { nextCursor: NextCursor },
  errors: ['PERMISSION_DENIED', 'EXCHANGE_NOT_AVAILABLE', 'EXEC_UNAVAILABLE'],
  async handle(input, { paper }: PaperRouteDeps) {
    const { accountId } = paperCallerOf(input)
    const { venue = null, state, cursor, limit } = input.query
    const bind = cursorBinding({ accountId, venue, state })
    const before = cursor === undefined ? null : String(paper.cursors.decode('paperOrders', bind, cursor))
    const query = { accountId, venue, working: state === 'working', before, limit: limit + 1 }
    const rows = await paper.store.listOrders(query)
    const page = rows.slice(0, limit)
    const next = rows.length > limit ? paper.cursors.encode('paperOrders', bind, page.at(-1)!.seq) : null
    return { data: page.map(orderOf), siblings: next === null ? {} : { nextCursor: next } }
  },
})

export const getPaperOrder = defineRoute({
  operationId: 'getPaperOrder',
  method: 'get',
  path: '/v1/paper/orders/{executionId}',
  access: { scope: 'read', credits: 1 },
  summary: 'One order of a paper account',
  tag,
  params: OrderPath,
  data: PaperOrder,
  errors: ['PERMISSION_DENIED', 'PAPER_ORDER_NOT_FOUND', 'EXEC_UNAVAILABLE'],
  async handle(input, { paper }: PaperRouteDeps) {
    const { accountId } = paperCallerOf(input)
    const row = await paper.store.findOrder(accountId, { executionId: input.params.executionId })
    if (row === null) throw notFound()
    return { data: orderOf(row) }
  },
})

export const cancelPaperOrder = defineRoute({
  operationId: 'cancelPaperOrder',
  method: 'post',
  path: '/v1/paper/orders/{executionId}/cancel',
  // Cancelling is always allowed, without credits and from any country.
  access: { scope: 'trade', credits: 0, anywhere: true },
  summary: 'Requests the cancel of a paper order, which takes effect when it reaches the book; may be repeated',
  tag,
  params: OrderPath,
  data: PaperOrder,
  errors: ['PERMISSION_DENIED', 'PAPER_ORDER_NOT_FOUND', 'PAPER_ORDER_NOT_OPEN', 'EXEC_UNAVAILABLE'],
  async handle(input, { paper }: PaperRouteDeps) {
    const { accountId } = paperCallerOf(input)
    const { store, clock } = paper
    const by = { executionId: input.params.executionId }
    const found = await store.findOrder(accountId, by)
    if (found === null) throw notFound()
    const { venue, ref } = found
    const result = await store.cancel({ accountId, venue, ref, byExecution: null, at: new Date(clock.now()) })
    const row = await store.findOrder(accountId, by)
    if (row === null) throw notFound()
    if (result.kind !== 'requested') throw notOpen(row.state)
    return { data: orderOf(row) }
  },
})
