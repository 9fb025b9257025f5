// Armed orders as one array of numbers, so that thousands are transferred to another thread without being cloned one by
// one.
import type { ArmedOrder } from './orders.ts'

const width = 15

export function encodeOrders(orders: readonly ArmedOrder[]): Float64Array<ArrayBuffer> {
  const packed = new Float64Array(orders.length * width)
  let at = 0
  for (const order of orders) {
    packed[at++] = order.handle
    packed[at++] = order.serial
    packed[at++] = order.slot
    packed[at++] = order.generation
    packed[at++] = order.kind
    packed[at++] = order.key
    packed[at++] = order.confirmations
    packed[at++] = order.dwellMs
    packed[at++] = order.spreadMax
    packed[at++] = order.sizeMin
    packed[at++] = order.complement ? 1 : 0
    packed[at++] = order.trail
    packed[at++] = order.distance
    packed[at++] = order.best
    packed[at++] = order.at
  }
  return packed
}

export function* unpackOrders(packed: Float64Array): Generator<ArmedOrder, void, void> {
  for (let at = 0; at < packed.length; at += width)
    yield {
      handle: packed[at]!,
      serial: packed[at + 1]!,
      slot: packed[at + 2]!,
      generation: packed[at + 3]!,
      kind: packed[at + 4]!,
      key: packed[at + 5]!,
      confirmations: packed[at + 6]!,
      dwellMs: packed[at + 7]!,
      spreadMax: packed[at + 8]!,
      sizeMin: packed[at + 9]!,
      complement: packed[at + 10] === 1,
      trail: packed[at + 11]!,
      distance: packed[at + 12]!,
      best: packed[at + 13]!,
      at: packed[at + 14]!,
    }
}
