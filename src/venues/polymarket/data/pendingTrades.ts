// Polymarket's settlements while they wait for their block: calls of `matchOrders` by the venue's operators, one per match.
// Contracts: https://docs.polymarket.com/resources/contract-addresses; selectors and topics follow from their ABIs.
import type { PendingFill, PendingTrades } from '../../venue.ts'
import { chainId, exchanges } from '../exec/typedData.ts'
import { fillsOfCall, type OrderFill } from './matchFills.ts'
import { type MatchLayout, readMatchCall } from './settlementCalldata.ts'

interface Settling {
  selector: string
  layout: MatchLayout
  /** See `fillsOfCall`. */
  grossTaker: boolean
}

const ordersV1 = { maker: 1, tokenId: 4, makerAmount: 5, takerAmount: 6, side: 10 }
const ordersV2 = { maker: 1, tokenId: 3, makerAmount: 4, takerAmount: 5, side: 6 }

/** matchOrders(bytes32, Order, Order[], uint256, uint256[], uint256, uint256[]) */
const exchangeV2: Settling = {
  selector: '0x3c2b4399',
  layout: { taker: 1, makers: 2, takerFill: 3, makerFills: 4, order: ordersV2 },
  grossTaker: false,
}
/** matchOrders(Order, Order[], uint256, uint256[]) */
const exchangeV1: Settling = {
  selector: '0xe60f0c05',
  layout: { taker: 0, makers: 1, takerFill: 2, makerFills: 3, order: ordersV1 },
  grossTaker: true,
}
/** matchOrders(Order, Order[], uint256, uint256, uint256[], uint256, uint256[]) */
const feeModuleV1: Settling = {
  selector: '0x2287e350',
  layout: { taker: 0, makers: 1, takerFill: 2, makerFills: 4, order: ordersV1 },
  grossTaker: true,
}

/** The first exchanges have refused every order since 2026-04-28; calls still sent to them are read, and revert. */
const settling: ReadonlyMap<string, Settling> = new Map([
  [exchanges.normal.toLowerCase(), exchangeV2],
  [exchanges.negRisk.toLowerCase(), exchangeV2],
  // V3: the same call, for positions of another kind.
  ['0xe3333700ca9d93003f00f0f71f8515005f6c00aa', exchangeV2],
  ['0x4bfb41d5b3570defd03c39a9a4d8de6bd8b8982e', exchangeV1],
  ['0xc5d563a36ae78145c45a50134d48a1215220f80a', exchangeV1],
  ['0xe3f18acc55091e2c48d883fc8c8413319d4ab7b0', feeModuleV1],
  ['0xb768891e3130f6df18214ac804d4db76c2c37730', feeModuleV1],
  ['0x78769d50be1763ed1ca0d5e878d93f05aabff29e', feeModuleV1],
])

/** More than any order is worth, and exact in a double. */
const unitsMax = 2n ** 53n
const unitsPerOne = 1_000_000

function fillsOf(to: string, input: string): PendingFill[] | null {
  const contract = settling.get(to)
  if (contract === undefined || !input.startsWith(contract.selector)) return null
  const call = readMatchCall(input, contract.layout)
  const fills = call === null ? null : fillsOfCall(call, contract.grossTaker)
  if (fills === null) return null
  const { taker, makers } = fills
  if ([taker, ...makers].some(({ gave, got }) => gave > unitsMax || got > unitsMax)) return null
  const wallets = new Set(makers.map(({ order }) => order.maker))
  const only = wallets.size === 1 ? [...wallets][0]! : null
  return [
    fillOf(taker, { maker: only, counterparty: only }),
    ...makers.map((each) => fillOf(each, { maker: each.order.maker, counterparty: taker.order.maker })),
  ]
}

function fillOf(
  { order, gave, got }: OrderFill,
  { maker, counterparty }: Pick<PendingFill, 'maker' | 'counterparty'>,
): PendingFill {
  const [shares, money] = order.sells ? [gave, got] : [got, gave]
  return {
    bookId: String(order.tokenId),
    type: order.sells ? 'Sell' : 'Buy',
    shares: Number(shares) / unitsPerOne,
    usd: Number(money) / unitsPerOne,
    price: shares === 0n ? null : Math.round((Number(money) / Number(shares)) * unitsPerOne) / unitsPerOne,
    maker,
    wallet: order.maker,
    counterparty,
  }
}

const wordChars = 64

/** `OrdersMatched` has what the taker gave and got in its third and fourth words, in both generations. */
function agrees({ type, shares, usd }: PendingFill, data: string): boolean {
  if (!/^0x[0-9a-f]{256}$/.test(data)) return false
  const [gave, got] = [2, 3].map((word) => {
    const begin = 2 + word * wordChars
    return Number(BigInt(`0x${data.slice(begin, begin + wordChars)}`)) / unitsPerOne
  })
  return type === 'Sell' ? gave === shares && got === usd : gave === usd && got === shares
}

export const pendingTrades: PendingTrades = {
  chainId,
  contracts: [...settling.keys()],
  // `OrdersMatched` of the exchanges since V2, and of the first ones.
  settledTopics: [
    '0x174b3811690657c217184f89418266767c87e4805d09680c39fc9c031c0cab7c',
    '0x63bf4d16b7fa898ef4c4b2b6d90fd201e9c56313b65638af6088d149d2ce956c',
  ],
  // Nine of ten are in a block after two and a half seconds.
  timeoutMs: 60_000,
  // The depth of a checkpoint.
  finalDepth: 256,
  fillsOf,
  agrees,
  completeness:
    'settlements that this deployment’s node receives before their block, from any sender; those that reach no public mempool are missing',
}
