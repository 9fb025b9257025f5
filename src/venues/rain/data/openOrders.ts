// A wallet's orders resting in Rain's pools, derived from the contracts' logs and checked against their current state. There is no public
// list: the API shows a wallet's orders only to that wallet. Pools of the first version have no such book, and are left out.
//
//   pools that count orders of the wallet ─► their logs of it ─► those that still exist ─► as many as the pool counts? ─no─► fault
//                                                                                           └─yes─► sizes, if the escrow agrees
import { parseAbi } from 'viem'
import type { ChainNode } from '#net/chainNode'
import { unitsOf } from '../../shared/data/parsers.ts'
import { unreadable } from '../../shared/data/rest.ts'
import { evmWallet } from '../../shared/data/wallets.ts'
import { chainOf, readContracts } from '../../shared/evm.ts'
import type { Hex } from '../../shared/exec/typedOrder.ts'
import type { PublicOpenOrder, PublicOpenOrders } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { logsOf, timesOf } from '../exec/eventLogs.ts'
import { chainId, idsOf, marketIdOf, sides } from '../ids.ts'
import { microsOfWei } from './normalize.ts'
import { type Executed, executionOf, orderTopics, type Placed, placementOf } from './orderLogs.ts'
import { createdAt, type LivePool, livePools } from './pools.ts'

const abi = parseAbi([
  'function userActiveBuyOrders(address user) view returns (uint256)',
  'function userActiveSellOrders(address user) view returns (uint256)',
  'function orderBook(uint256 option, uint8 optionSide, uint256 price, uint256 orderID) view returns (bool exists, int256 index)',
  'function userFundsPerSideInEscrow(uint256 option, uint8 optionSide, address user) view returns (uint256)',
  'function userSharesPerSideInEscrow(uint256 option, uint8 optionSide, address user) view returns (uint256)',
])
/** Per multicall. */
const callsMax = 200
const wei = 10n ** 18n

/** One view of the chain: everything is read as of its block. */
interface Look {
  context: VenueContext
  node: ChainNode
  at: number
  account: Hex
}

export const openOrders: PublicOpenOrders = {
  source: 'chain',
  /** Half a dozen node reads each. */
  readsPerMinute: 10,
  accountOf: evmWallet,
  async fetch(context, account) {
    const node = chainOf(context, context.venue, chainId)
    const pools = await livePools(context)
    const block = await node.latest()
    const look: Look = { context, node, at: block.number, account: account as Hex }
    const counted = await countedPools(look, pools)
    const placed = counted.length === 0 ? [] : await restingIn(look, counted)
    return { orders: await toOpenOrders(look, placed), asOfMs: block.timestampMs }
  },
}

interface Counted {
  pool: LivePool
  buys: bigint
  sells: bigint
}

/** Pools in which the wallet has resting orders. A pool that does not count orders has no book. */
async function countedPools(look: Look, pools: readonly LivePool[]): Promise<Counted[]> {
  const names = ['userActiveBuyOrders', 'userActiveSellOrders'] as const
  const counts = await ask(
    look,
    pools.flatMap(({ address }) => names.map((functionName) => ({ address, functionName, args: [look.account] }))),
  )
  return pools.flatMap((pool, n) => {
    const [buys, sells] = [counts[n * 2], counts[n * 2 + 1]]
    if (typeof buys !== 'bigint' || typeof sells !== 'bigint') return []
    return buys + sells > 0n ? [{ pool, buys, sells }] : []
  })
}

interface Resting extends Placed {
  pool: LivePool
  /** Its executions by the book. */
  executed: Executed[]
}

async function restingIn(look: Look, counted: readonly Counted[]): Promise<Resting[]> {
  const { context, node, at: to, account } = look
  let from = to
  for (const { pool } of counted) from = Math.min(from, await createdAt(context, node, pool))
  const addresses = counted.map(({ pool }) => pool.address.toLowerCase())
  const logs = await logsOf(node, { pools: addresses, topics: orderTopics, wallet: account }, { from, to })
  if (logs === null) throw unreadable(context, 'eth_getLogs', `too many ranges from ${from} to ${to}`)
  const poolOf = new Map(counted.map(({ pool }) => [pool.address.toLowerCase(), pool]))
  const executions = logs.flatMap((log) => executionOf(log) ?? [])
  const placed = logs.flatMap((log): Resting[] => {
    const order = placementOf(log)
    const pool = poolOf.get(log.address)
    if (order === null || pool === undefined) return []
    const executed = executions.filter((each) => each.pool === log.address && each.place === order.place)
    return [{ ...order, pool, executed }]
  })
  const exists = await ask(
    look,
    placed.map(({ pool: { address }, option, optionSide, price, orderId }) => ({
      address,
      functionName: 'orderBook' as const,
      args: [option, optionSide, price, orderId],
    })),
  )
  const resting = placed.filter((_, n) => (exists[n] as readonly unknown[] | null)?.[0] === true)
  for (const { pool, buys, sells } of counted) {
    const mine = resting.filter((order) => order.pool === pool)
    const bought = mine.filter(({ isBuy }) => isBuy).length
    // Logs that a node no longer has, or orders made in an unknown way.
    if (BigInt(bought) !== buys || BigInt(mine.length - bought) !== sells)
      throw unreadable(context, 'eth_getLogs', `${mine.length} orders of ${buys + sells} in ${pool.address}`)
  }
  return resting
}

async function toOpenOrders(look: Look, resting: readonly Resting[]): Promise<PublicOpenOrder[]> {
  const { node, context } = look
  const proven = await provenGroups(look, resting)
  const times = await timesOf(
    node,
    resting.map(({ log }) => log),
    context.clock.now(),
  )
  return resting.map((order): PublicOpenOrder => {
    const { pool, option, optionSide, isBuy, price, orderId, log } = order
    const marketId = marketIdOf(pool.address, Number(option))
    const [yes, no] = idsOf(marketId)
    const micros = microsOfWei(price)
    return {
      // Numbers are unique within a price.
      orderId: [marketId, optionSide, isBuy ? 'buy' : 'sell', price, orderId].join(':'),
      marketId,
      outcomeId: optionSide === sides.yes ? yes : optionSide === sides.no ? no : null,
      side: isBuy ? 'buy' : 'sell',
      orderType: 'limit',
      limitPrice: micros === null ? null : micros / 1_000_000,
      ...sizesOf(order, proven.has(groupOf(order))),
      status: 'open',
      createdAtMs: times.get(log.blockNumber) ?? null,
      updatedAtMs: null,
      raw: {
        pool: pool.address,
        option: String(option),
        optionSide,
        price: String(price),
        amount: String(order.amount),
        orderID: String(orderId),
        transactionHash: log.transactionHash,
        blockNumber: log.blockNumber,
      },
    }
  })
}

/** The unspent part: base units of a purchase, shares of a sale. */
const leftOf = ({ isBuy, amount, executed }: Resting): bigint =>
  executed.reduce((left, { base, shares }) => left - (isBuy ? base : shares), amount)

function sizesOf(
  order: Resting,
  isProven: boolean,
): Pick<PublicOpenOrder, 'originalSize' | 'filledSize' | 'remainingSize'> {
  const { isBuy, amount, price, executed, pool } = order
  const { decimals } = pool
  if (!isProven || decimals === null) return { originalSize: null, filledSize: null, remainingSize: null }
  const sharesOf = (units: bigint): number | null => unitsOf(String(isBuy ? (units * wei) / price : units), decimals)
  const filled = executed.reduce((sum, { shares }) => sum + shares, 0n)
  return {
    originalSize: sharesOf(amount),
    filledSize: unitsOf(String(filled), decimals),
    remainingSize: sharesOf(leftOf(order)),
  }
}

const groupOf = ({ pool, option, optionSide, isBuy }: Resting): string =>
  `${pool.address} ${option} ${optionSide} ${isBuy}`

/**
 * Groups of orders of one option, side and direction for which the contract holds as much as remains by the logs, allowing for one unit of
 * rounding per execution. If it holds a different amount, part of an order was matched without a log, and their sizes are unknown.
 */
async function provenGroups(look: Look, resting: readonly Resting[]): Promise<ReadonlySet<string>> {
  const groups = [...Map.groupBy(resting, groupOf)]
  const held = await ask(
    look,
    groups.map(([, [first]]) => ({
      address: first!.pool.address,
      functionName: first!.isBuy ? 'userFundsPerSideInEscrow' : 'userSharesPerSideInEscrow',
      args: [first!.option, first!.optionSide, look.account],
    })),
  )
  return new Set(
    groups.flatMap(([name, orders], n) => {
      const escrow = held[n]
      const left = orders.reduce((sum, order) => sum + leftOf(order), 0n)
      const rounded = BigInt(orders.reduce((sum, { executed }) => sum + executed.length, 0))
      if (typeof escrow !== 'bigint' || orders.some((order) => leftOf(order) < 0n)) return []
      const off = escrow > left ? escrow - left : left - escrow
      return off <= rounded ? [name] : []
    }),
  )
}

type Call = { address: Hex; functionName: (typeof abi)[number]['name']; args: readonly unknown[] }

/** As of the block of this read; null for a call that reverts. */
async function ask({ node, at }: Look, calls: readonly Call[]): Promise<(unknown | null)[]> {
  const answers: (unknown | null)[] = []
  for (let from = 0; from < calls.length; from += callsMax) {
    const part = calls.slice(from, from + callsMax)
    answers.push(
      ...(await readContracts(
        node,
        part.map((call) => ({ ...call, abi })),
        at,
      )),
    )
  }
  return answers
}
