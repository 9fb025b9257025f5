// Lists the account's orders over all venues, and its executions of unknown outcome. Nothing is read from a venue.
import { z } from 'zod'
import { lowerBoundNow } from '#core/clock'
import { cursorBinding } from '#core/cursor'
import { NextCursor } from '#schemas/envelope'
import { ExecutionStatus } from '#schemas/executions'
import { OrderOverview, UnresolvedOrder } from '#schemas/orders'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import { TradedVenue } from '#server/http/venueName'
import { averagedFillsMax, overviewOf } from '../overview.ts'
import type { ExecutionsRouteDeps } from '../ports.ts'
import { unresolvedOf } from '../unresolved.ts'
import { callerOf } from './shapes.ts'

const limitDefault = 50
/** Larger limits are capped at this. */
const limitMax = 200
const access = { scope: 'trade', credits: 1, anywhere: true } as const

/** Comma-separated. */
const Statuses = z.string().transform((text, context): ExecutionStatus[] => {
  const parsed = z.array(ExecutionStatus).safeParse([...new Set(text.split(',').map((word) => word.trim()))])
  if (parsed.success) return parsed.data
  context.addIssue({ code: 'custom', message: `must be some of ${ExecutionStatus.options.join(', ')}` })
  return z.NEVER
})

export const listOrders = defineRoute({
  operationId: 'listOrders',
  method: 'get',
  path: '/v1/exec/orders',
  access,
  summary: 'The account’s orders and modifications across venues, newest first',
  tag: 'execution',
  query: z.object({
    status: Statuses.optional(),
    venue: TradedVenue.optional(),
    marketId: z.string().min(1).max(256).optional(),
    /** An OCO group, or a conditional order. */
    group: z.uuid().optional(),
    since: z.iso.datetime({ offset: true }).optional(),
    /** `true`: only those in flight (`submitted`, `acked`). */
    open: z.enum(['true', 'false']).optional(),
    cursor: z.string().optional(),
    limit: clampedLimit(limitDefault, limitMax),
  }),
  data: z.array(OrderOverview),
  topLevelFields: { nextCursor: NextCursor },
  errors: ['EXCHANGE_NOT_AVAILABLE', 'EXEC_UNAVAILABLE'],
  async handle(input, { executions }: ExecutionsRouteDeps) {
    const { cursor, limit, ...filter } = input.query
    const { accountId } = callerOf(input)
    const bind = cursorBinding({ accountId, ...filter })
    const rows = await executions.store.listOrders({
      accountId,
      statuses: filter.status ?? null,
      venue: filter.venue ?? null,
      marketId: filter.marketId ?? null,
      groupId: filter.group ?? null,
      since: filter.since === undefined ? null : new Date(filter.since),
      isOpen: filter.open === 'true',
      before: cursor === undefined ? null : String(executions.cursors.decode('orders', bind, cursor)),
      limit: limit + 1,
    })
    const page = rows.slice(0, limit)
    const executionIds = page.map(({ id }) => id)
    const fills = Map.groupBy(
      page.length === 0 ? [] : await executions.store.listFillsOfOrders({ executionIds, most: averagedFillsMax }),
      ({ execution_id }) => execution_id,
    )
    const lanes = new Map(executions.knownLanes.map((lane) => [lane.slug as string, lane]))
    const nextCursor = rows.length > limit ? executions.cursors.encode('orders', bind, page.at(-1)!.seq) : null
    return {
      data: page.map((row) => overviewOf(row, lanes.get(row.venue), fills.get(row.id) ?? [])),
      siblings: nextCursor === null ? {} : { nextCursor },
    }
  },
})

export const listUnresolvedOrders = defineRoute({
  operationId: 'listUnresolvedOrders',
  method: 'get',
  path: '/v1/exec/orders/in-doubt',
  access,
  summary: 'Executions whose outcome is unknown, newest first: what each waits for, and what its owner can do',
  tag: 'execution',
  query: z.object({
    venue: TradedVenue.optional(),
    cursor: z.string().optional(),
    limit: clampedLimit(limitDefault, limitMax),
  }),
  data: z.array(UnresolvedOrder),
  topLevelFields: { nextCursor: NextCursor },
  errors: ['EXCHANGE_NOT_AVAILABLE', 'EXEC_UNAVAILABLE'],
  async handle(input, { executions }: ExecutionsRouteDeps) {
    const { cursor, limit, venue } = input.query
    const { accountId } = callerOf(input)
    const bind = cursorBinding({ accountId, venue })
    const rows = await executions.store.listUnresolved({
      accountId,
      venue: venue ?? null,
      before: cursor === undefined ? null : String(executions.cursors.decode('unresolvedOrders', bind, cursor)),
      limit: limit + 1,
    })
    const page = rows.slice(0, limit)
    const nowMs = lowerBoundNow(executions.clock)
    const nextCursor =
      rows.length > limit ? executions.cursors.encode('unresolvedOrders', bind, page.at(-1)!.seq) : null
    return {
      data: page.map((row) => unresolvedOf(executions, row, nowMs)),
      siblings: nextCursor === null ? {} : { nextCursor },
    }
  },
})
