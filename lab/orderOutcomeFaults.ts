// The effect of the `order` fault on one request that places orders, the same on every venue.
import type { OrderManager, SimulatedOrder } from './engine/orderManager.ts'
import type { Faults } from './faults.ts'
import type { LabReply } from './venueServer.ts'

export interface Placing {
  orderManager: OrderManager
  faults: Faults
  /** The venue's own refusal, for the fault `reject`. */
  rejected: LabReply
  /** The accepted orders, and the venue's answer. */
  place(): { orders: readonly SimulatedOrder[]; reply: LabReply }
}

export function takeOrders({ orderManager, faults, rejected, place }: Placing): LabReply {
  const fault = faults.orderFault()
  if (fault?.outcome === 'vanish') return { status: 500, body: '', cut: true }
  if (fault?.outcome === 'reject') return rejected
  const { orders, reply } = place()
  if (fault?.outcome === 'forget') for (const order of orders) orderManager.forget(order)
  if (fault?.outcome === 'drop') return { ...reply, cut: true }
  return fault?.outcome === 'late' ? { ...reply, lateMs: fault.delayMs } : reply
}
