// An account's open orders, as its venue shows them publicly. Anything a venue shows only to the owner is never served here.

import { z } from 'zod'
import { cursorBinding } from '#core/cursor'
import { Fault } from '#core/fault'
import { NextCursor } from '#schemas/envelope'
import {
  accountIdLengthMax,
  OpenOrder,
  OpenOrdersMeta,
  openOrdersLimitDefault,
  openOrdersLimitMax,
} from '#schemas/openOrders'
import { defineRoute } from '#server/http/defineRoute'
import { queryWhole } from '#server/http/queryNumbers'
import { VenueName } from '#server/http/venueName'
import type { PublicOpenOrder, PublicOpenOrders } from '#venues/venue'
import { Position, pageOf } from '../order.ts'
import { parseQuery } from '../parseAccountParams.ts'
import type { OpenOrdersDeps, OpenOrdersRouteDeps } from '../ports.ts'

const cursorKind = 'openOrders'

const Params = z.object({ venue: VenueName, accountId: z.string().min(1).max(accountIdLengthMax) })
const Query = z.strictObject({
  limit: queryWhole({ min: 1, max: openOrdersLimitMax }).default(openOrdersLimitDefault),
  cursor: z.string().min(1).optional().describe('opaque, from nextCursor'),
})

export const listOpenOrders = defineRoute({
  operationId: 'listOpenOrders',
  method: 'get',
  path: '/v1/accounts/{venue}/{accountId}/open-orders',
  family: 'openOrders',
  liveOnly: true,
  access: { scope: 'read', credits: 2 },
  summary: 'Open orders of an account that its venue or its chain shows publicly, newest first',
  tag: 'accounts',
  params: Params,
  query: Query,
  data: z.array(OpenOrder),
  topLevelFields: { meta: OpenOrdersMeta, nextCursor: NextCursor },
  errors: [
    'NOT_SUPPORTED',
    'EXCHANGE_NOT_AVAILABLE',
    'VENUE_NOT_AVAILABLE',
    'ACCOUNTS_UNSUPPORTED',
    'CATALOG_UNAVAILABLE',
    'NETWORK_ERROR',
  ],
  async handle({ params: { venue, accountId }, query: { limit, cursor } }, { openOrders }: OpenOrdersRouteDeps) {
    const reads = parseQuery(openOrders.venues, venue)
    const account = reads.accountOf(accountId)
    if (account === null) throw new Fault('VALIDATION_ERROR', `accountId: is not an account of ${venue}`)
    const bind = cursorBinding({ venue, account })
    const after = cursor === undefined ? null : Position.parse(openOrders.cursors.decode(cursorKind, bind, cursor))
    const { orders, asOfMs, cached } = await openOrders.reads.read(venue, account)
    const { page, next } = pageOf(orders, after, limit)
    const nextCursor = next === null ? {} : { nextCursor: openOrders.cursors.encode(cursorKind, bind, next) }
    const meta: OpenOrdersMeta = {
      asOf: new Date(asOfMs).toISOString(),
      provenance: { source: reads.source, visibility: 'public' },
      derived: isDerived(reads),
      cached,
      ...nextCursor,
    }
    return { data: await rowsOf(openOrders, { venue, account }, page), siblings: { meta, ...nextCursor } }
  },
})

/** Logs report actions; the remaining orders are derived. */
const isDerived = ({ source }: PublicOpenOrders): boolean => source === 'chain'

async function rowsOf(
  { findKnown }: Pick<OpenOrdersDeps, 'findKnown'>,
  { venue, account }: { venue: string; account: string },
  page: readonly PublicOpenOrder[],
): Promise<OpenOrder[]> {
  const known = await findKnown(venue, [...new Set(page.map(({ marketId }) => marketId))])
  return page.map(({ orderId, marketId, createdAtMs, updatedAtMs, raw, ...order }) => ({
    venue,
    accountId: account,
    orderId,
    marketId,
    canonicalMarketId: known.has(marketId) ? `${venue}:${marketId}` : null,
    ...order,
    createdAt: isoOf(createdAtMs),
    updatedAt: isoOf(updatedAtMs),
    raw,
  }))
}

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
