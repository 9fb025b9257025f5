// The effect of the `order` fault on one request that places orders, the same on every venue.
import type { OrderManager, SimulatedOrder } from './engine/orderManager.ts'
import type { Faults } from './faults.ts'
import type { LabReply } from './venueServer.ts'

export interface Placing {
  desk: OrderManager
  faults: Faults
  /** The venue's own refusal, for the fault `reject`. */
  rejected: LabReply
  /** The accepted orders, and the venue's answer. */
  place(): { orders: readonly SimulatedOrder[]; reply: LabReply }
}

export function takeOrders({ desk, faults, rejected, place }: Placing): LabReply {
  const fate = faults.orderFate()
  if (fate?.fate === 'vanish') return { status: 500, body: '', cut: true }
  if (fate?.fate === 'reject') return rejected
  const { orders, reply } = place()
  if (fate?.fate === 'forget') for (const order of orders) desk.forget(order)
  if (fate?.fate === 'drop') return { ...reply, cut: true }
  return fate?.fate === 'late' ? { ...reply, lateMs: fate.delayMs } : reply
}
