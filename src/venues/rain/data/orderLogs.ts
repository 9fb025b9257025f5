// What a pool's logs say about orders resting in its book. Pure. Other logs are ignored.
import { decodeEventLog, toEventSelector } from 'viem'
import { z } from 'zod'
import type { ChainLog } from '#net/chainNode'
import type { Hex } from '../../shared/exec/typedOrder.ts'
import { eventAbi } from '../exec/contracts.ts'

const names = ['PlaceBuyOrder', 'PlaceSellOrder', 'ExecuteBuyOrder', 'ExecuteSellOrder']

/** First topics; the second topic of each is the order's wallet. */
export const orderTopics: readonly string[] = eventAbi
  .filter(({ name }) => names.includes(name))
  .map((event) => toEventSelector(event))

const Place = {
  orderOption: z.bigint(),
  orderOptionSide: z.number(),
  orderPrice: z.bigint(),
  orderID: z.bigint(),
}
const PlaceBuy = z.object({ ...Place, baseAmount: z.bigint() })
const PlaceSell = z.object({ ...Place, sharesAmount: z.bigint() })
const Execute = z.object({ ...Place, baseAmount: z.bigint(), sharesAmount: z.bigint() })

export interface Placed {
  isBuy: boolean
  option: bigint
  optionSide: number
  /** 18 decimals. */
  price: bigint
  orderId: bigint
  /** Base units that it may spend; shares that it sells. */
  amount: bigint
  /** The order's key in its executions, within its pool. */
  place: string
  log: ChainLog
}

export interface Executed {
  pool: string
  place: string
  base: bigint
  shares: bigint
}

const placeOf = (
  isBuy: boolean,
  { orderOption, orderOptionSide, orderPrice, orderID }: z.infer<typeof Execute>,
): string => [isBuy, orderOption, orderOptionSide, orderPrice, orderID].join(':')

export function placementOf(log: ChainLog): Placed | null {
  const read = decoded(log)
  if (read?.name !== 'PlaceBuyOrder' && read?.name !== 'PlaceSellOrder') return null
  const isBuy = read.name === 'PlaceBuyOrder'
  const bought = isBuy ? PlaceBuy.safeParse(read.args).data : undefined
  const sold = isBuy ? undefined : PlaceSell.safeParse(read.args).data
  const order = bought ?? sold
  if (order === undefined) return null
  return {
    isBuy,
    option: order.orderOption,
    optionSide: order.orderOptionSide,
    price: order.orderPrice,
    orderId: order.orderID,
    amount: bought?.baseAmount ?? sold!.sharesAmount,
    place: placeOf(isBuy, { ...order, baseAmount: 0n, sharesAmount: 0n }),
    log,
  }
}

/** Of a resting order: its maker is the requested wallet. */
export function executionOf(log: ChainLog): Executed | null {
  const read = decoded(log)
  if (read?.name !== 'ExecuteBuyOrder' && read?.name !== 'ExecuteSellOrder') return null
  const { data } = Execute.safeParse(read.args)
  if (data === undefined) return null
  const place = placeOf(read.name === 'ExecuteBuyOrder', data)
  return { pool: log.address, place, base: data.baseAmount, shares: data.sharesAmount }
}

function decoded({ topics, data }: ChainLog): { name: string; args: unknown } | null {
  try {
    const [first, ...rest] = topics as [Hex, ...Hex[]]
    const { eventName, args } = decodeEventLog({ abi: eventAbi, topics: [first, ...rest], data: data as Hex })
    return { name: eventName, args }
  } catch {
    return null
  }
}
