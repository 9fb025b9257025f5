// The stream's `orders` channel: the orders of the key's own account, for keys that may trade. Its shape is the stream's ChannelProvider.
import type { ClientOp } from '#schemas/stream'
import type { OrdersPeer } from './subscriber.ts'

/** Where subscribers are registered: the follower of changes. */
export interface OrdersAudience {
  add(peer: OrdersPeer, topic: string): void
  remove(peer: OrdersPeer): void
}

export interface OrdersChannel {
  readonly scope: 'trade'
  check(op: ClientOp): { code: 'BAD_MESSAGE'; message: string } | null
  started(peer: OrdersPeer, topic: string): void
  stopped(peer: OrdersPeer): void
}

export const ordersChannel = (audience: OrdersAudience): OrdersChannel => ({
  scope: 'trade',
  check: ({ op }) => (op === 'subscribeOrders' ? null : { code: 'BAD_MESSAGE', message: 'not an operation on orders' }),
  started: (peer, topic) => audience.add(peer, topic),
  stopped: (peer) => audience.remove(peer),
})
