// A market is an order book or a pool; the two are traded differently, with the same body.
import type { Built, LaneContext } from '../../lane.ts'
import type { OrderBody } from './body.ts'
import { buildBookOrder } from './bookOrder.ts'
import type { Facts } from './facts.ts'
import { buildPoolOrder } from './poolOrder.ts'

export const build = (context: LaneContext, body: OrderBody, { catalog, pool }: Facts): Built =>
  pool === null ? buildBookOrder(context, body, catalog) : buildPoolOrder(body, catalog, pool)
