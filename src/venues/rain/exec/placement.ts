// What a placement's own transaction says of the order: the number that the pool assigned.
import type { z } from 'zod'
import type { PoolCall } from './contracts.ts'
import { Placed, type PoolLog } from './eventLogs.ts'

type Order = Extract<PoolCall, { kind: 'limit' }>

interface OfOrder {
  orderOption: bigint
  orderOptionSide: number
  orderPrice: bigint
}

export const isOf = (
  { orderOption, orderOptionSide, orderPrice }: OfOrder,
  { option, optionSide, price }: Pick<Order, 'option' | 'optionSide' | 'price'>,
): boolean => String(orderOption) === option && orderOptionSide === optionSide && String(orderPrice) === price

/** `owner`: in lower case. Null when nothing of it was left to rest, or no log can be read. */
export function placedBy(logs: readonly PoolLog[], owner: string, call: Order): z.output<typeof Placed> | null {
  const wanted = call.side === 'buy' ? 'PlaceBuyOrder' : 'PlaceSellOrder'
  const placed = logs.flatMap(({ name, args }) => {
    const { data } = name === wanted ? Placed.safeParse(args) : { data: undefined }
    return data !== undefined && data.maker === owner && isOf(data, call) ? [data] : []
  })
  return placed[0] ?? null
}
