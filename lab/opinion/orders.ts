// Order entry of the lab's opinion: quote tokens, `POST /order` and its checks, cancellations, and the account's own orders.
import { type Hex, hashTypedData, isAddressEqual, recoverAddress } from 'viem'
import { z } from 'zod'
import { ctfOrderTypes } from '../ctfOrder.ts'
import { ASK, BID } from '../engine/book.ts'
import { faultFor, type RejectReason, type SimulatedFill, type SimulatedOrder } from '../engine/orderManager.ts'
import { type LabPosition, outcomePositions } from '../engine/positions.ts'
import { takeOrders } from '../orderOutcomeFaults.ts'
import { digestHex, stableUuid } from '../prng.ts'
import type { VenueCore } from '../restVenue.ts'
import type { LabReply, LabRequest, LabRoute } from '../venueServer.ts'
import { chainId, type OpinionAuth, okEnvelope, refused, type Trader } from './auth.ts'
import type { OpinionListing, OpinionMarket } from './marketGenerator.ts'
import { priceText, quoteToken } from './rows.ts'

const exchange = '0x5f45344126d6488025b0b84a3a8189f2487a7246'
/** Orders above this cost are refused, dollars; so are those below the minimum. */
const balanceDollars = 1_000_000
const valueMinDollars = 5
const pageMax = 20
const pageUsual = 10

const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const Digits = z.string().regex(/^\d{1,78}$/)

const AddOrder = z.looseObject({
  salt: Digits,
  topicId: z.int().positive(),
  maker: Address,
  signer: Address,
  taker: Address,
  tokenId: Digits,
  makerAmount: Digits,
  takerAmount: Digits,
  expiration: Digits,
  nonce: Digits,
  feeRateBps: Digits,
  side: z.enum(['0', '1']),
  signatureType: z.enum(['0', '1', '2']),
  signature: z.string().regex(/^0x[0-9a-fA-F]{130}$/),
  sign: z.string(),
  currencyAddress: Address,
  price: z.string().regex(/^\d(\.\d{1,6})?$/),
  tradingMethod: z.union([z.literal(1), z.literal(2)]),
  timestamp: z.int(),
  postOnly: z.boolean().optional(),
})
export type Posted = z.infer<typeof AddOrder>

interface OrderDetails {
  hash: Hex
  market: OpinionMarket
  side: 0 | 1
  posted: Posted
  /** As the venue shows them: two decimals. */
  shares: string
}
const detailsOf = (order: SimulatedOrder): OrderDetails => order.details as unknown as OrderDetails

/** Undocumented refusals have the lab's own numbers and texts: 10600, 10601, 10602, 10611. */
const bad = (errmsg: string, errno = 10_600): LabReply => refused(200, errno, errmsg)
const insufficient = bad('Insufficient token balance', 10_602)
const noOrder = refused(200, 10_404, 'order not found')

const statuses = {
  open: [1, 'Pending'],
  filled: [2, 'Finished'],
  canceled: [3, 'Canceled'],
  expired: [4, 'Expired'],
} as const

export function orderRoutes(
  { engine, faults, isKnown }: VenueCore,
  listing: OpinionListing,
  auth: OpinionAuth,
): LabRoute[] {
  const { orderManager } = engine

  const route = (
    method: 'GET' | 'POST',
    path: string,
    handle: (request: LabRequest, trader: Trader) => LabReply | Promise<LabReply>,
  ): LabRoute => ({
    method,
    path: `/openapi${path}`,
    handle(request) {
      const admitted = auth.admit(request.headers)
      return 'status' in admitted ? admitted : handle(request, admitted)
    },
  })

  async function add({ body }: LabRequest, trader: Trader): Promise<LabReply> {
    const parsed = AddOrder.safeParse(body)
    if (!parsed.success) return bad(z.prettifyError(parsed.error))
    const posted = parsed.data
    const found = listing.byToken.get(posted.tokenId)
    if (found === undefined || found.market.id !== posted.topicId || !isKnown(found.market.key))
      return bad('market not found')
    const wrong = (await signatureRefusal(posted, trader)) ?? amountRefusal(posted)
    if (wrong !== null) return wrong
    const hash = hashOf(posted)
    if (orderManager.findByClientId(trader.wallet, hash) !== null) return bad('order already exists', 10_601)
    const buys = posted.side === '0'
    const micros = Math.round(Number(posted.price) * 1_000_000)
    const hundredths = hundredthsOf(posted)
    return takeOrders({
      orderManager,
      faults: faults(),
      rejected: insufficient,
      place() {
        const placed = orderManager.place(engine.market(found.market.key)!, {
          account: trader.wallet,
          // Buying one token is selling the other at one minus the price.
          side: buys === (found.side === 0) ? BID : ASK,
          priceMicros: found.side === 0 ? micros : 1_000_000 - micros,
          hundredths,
          clientId: hash,
          life: 'gtc',
          ...(posted.postOnly !== undefined && { postOnly: posted.postOnly }),
          details: { hash, ...found, posted, shares: sharesText(hundredths) } satisfies OrderDetails,
        })
        if (typeof placed === 'string') return { orders: [], reply: bad(...sentences[placed]) }
        const { trades: _, ...row } = orderRow(placed, false)
        return { orders: [placed], reply: okEnvelope({ orderData: row }) }
      },
    })
  }

  const idIs = (id: unknown) => (order: SimulatedOrder) => orderIdOf(order) === id
  const own = ({ wallet }: Trader): SimulatedOrder[] => (faults().hides('orders') ? [] : orderManager.ordersOf(wallet))

  return [
    {
      method: 'GET',
      path: '/openapi/quoteToken',
      handle: () =>
        okEnvelope({
          total: 1,
          list: [
            {
              id: 4,
              chainId: String(chainId),
              quoteTokenAddress: quoteToken,
              ctfExchangeAddress: exchange,
              decimal: 18,
              quoteTokenName: 'USDT',
              symbol: 'USDT',
              createdAt: 0,
            },
          ],
        }),
    },
    route('GET', '/user/auth', (_, { apiKey, wallet, safe }) =>
      okEnvelope({ apiKey, walletAddress: wallet, walletUsers: { [String(chainId)]: safe } }),
    ),
    route('GET', '/user/balance', (_, { wallet, safe }) => {
      const amount = String(balanceDollars)
      const row = { quoteToken, tokenDecimals: 18, totalBalance: amount, availableBalance: amount, frozenBalance: '0' }
      return okEnvelope({ walletAddress: wallet, multiSignAddress: safe, chainId: String(chainId), balances: [row] })
    }),
    route('GET', '/positions', ({ query }, { wallet }) => {
      const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? pageUsual)]
      if (!(Number.isInteger(page) && page >= 1 && Number.isInteger(limit) && limit >= 1 && limit <= pageMax))
        return bad('invalid page or limit', 10_001)
      const held = outcomePositions(orderManager.ordersOf(wallet), (order) => detailsOf(order).side === 0)
      const list = held.slice((page - 1) * limit, page * limit).map(positionRow)
      return okEnvelope({ total: held.length, list })
    }),
    route('POST', '/order', add),
    route('POST', '/order/cancel', ({ body }, trader) => {
      const order = orderManager.ordersOf(trader.wallet).find(idIs((body as { orderId?: unknown })?.orderId))
      return order === undefined ? noOrder : okEnvelope({ result: orderManager.cancel(order) })
    }),
    route('GET', '/order', ({ query }, trader) => {
      const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? pageUsual)]
      if (!(Number.isInteger(page) && page >= 1 && Number.isInteger(limit) && limit >= 1 && limit <= pageMax))
        return bad('invalid page or limit', 10_001)
      const [marketId, wanted] = [query.get('marketId'), query.get('status')?.split(',')]
      const rows = own(trader)
        .map((order) => orderRow(order, false))
        .filter((row) => marketId === null || String(row.marketId) === marketId)
        .filter((row) => wanted === undefined || wanted.includes(String(row.status)))
        .reverse()
      const list = rows.slice((page - 1) * limit, page * limit).map(({ trades: _, ...row }) => row)
      return okEnvelope({ total: rows.length, list })
    }),
    route('GET', '/order/:id', ({ params }, trader) => {
      const order = own(trader).find(idIs(params.id))
      return order === undefined ? noOrder : okEnvelope({ orderData: orderRow(order, faults().hides('fills')) })
    }),
  ]
}

async function signatureRefusal(posted: Posted, { wallet, safe }: Trader): Promise<LabReply | null> {
  const { signer, maker, signatureType, signature } = posted
  const recovered = await recoverAddress({ hash: hashOf(posted), signature: signature as Hex }).catch(() => null)
  if (recovered === null || !isAddressEqual(recovered, signer as Hex) || !isAddressEqual(recovered, wallet))
    return bad('invalid order signature', 10_611)
  const from = { '0': wallet, '1': null, '2': safe }[signatureType]
  if (from === null || !isAddressEqual(maker as Hex, from))
    return bad('The maker address must be the current multi-signature wallet address')
  return null
}

/** Whole hundredths: the order manager counts no smaller unit. */
const hundredthsOf = ({ side, makerAmount, takerAmount }: Posted): number =>
  Number(BigInt(side === '0' ? takerAmount : makerAmount) / 10n ** 16n)

/**
 * Null: both amounts match the named price and are within the venue's limits. Market orders are not supported by the
 * lab.
 */
function amountRefusal(posted: Posted): LabReply | null {
  const { side, makerAmount, takerAmount, price, tradingMethod, currencyAddress } = posted
  if (tradingMethod !== 2) return bad('trading method not supported')
  if (currencyAddress.toLowerCase() !== quoteToken.toLowerCase()) return bad('invalid currency address')
  if (!/^0\.\d{1,4}$/.test(price) || Number(price) < 0.01 || Number(price) > 0.99) return bad('invalid price')
  const [cash, shares] = (side === '0' ? [makerAmount, takerAmount] : [takerAmount, makerAmount]).map(BigInt)
  const micros = BigInt(Math.round(Number(price) * 1_000_000))
  if (cash === 0n || cash! * 1_000_000n !== shares! * micros) return bad('invalid amount: price does not match')
  const dollars = Number(cash) / 1e18
  if (dollars < valueMinDollars) return bad(`The order value is below the minimum required value ${valueMinDollars}`)
  return side === '0' && dollars > balanceDollars ? insufficient : null
}

const sentences: Record<RejectReason, readonly [string, number]> = {
  market_closed: ['market is not activated', 10_600],
  off_grid: ['invalid price', 10_600],
  no_size: ['The order value is below the minimum required value', 10_600],
  would_cross: ['postOnly order would cross', 10_600],
  not_filled: ['Depth not enough', 10_605],
  duplicate_client_id: ['order already exists', 10_601],
}

/** What the signature is over. */
function hashOf(posted: Posted): Hex {
  return hashTypedData({
    domain: { name: 'OPINION CTF Exchange', version: '1', chainId, verifyingContract: exchange },
    types: ctfOrderTypes,
    primaryType: 'Order',
    message: {
      salt: BigInt(posted.salt),
      maker: posted.maker as Hex,
      signer: posted.signer as Hex,
      taker: posted.taker as Hex,
      tokenId: BigInt(posted.tokenId),
      makerAmount: BigInt(posted.makerAmount),
      takerAmount: BigInt(posted.takerAmount),
      expiration: BigInt(posted.expiration),
      nonce: BigInt(posted.nonce),
      feeRateBps: BigInt(posted.feeRateBps),
      side: Number(posted.side),
      signatureType: Number(posted.signatureType),
    },
  })
}

export const orderIdOf = ({ ordinal }: SimulatedOrder): string => stableUuid(`opinion/order/${ordinal}`)
const seconds = (ms: number): number => Math.floor(ms / 1_000)
const sharesText = (hundredths: number): string => String(hundredths / 100)

/** Price of a fill in the order's own token. */
const priceOf = (order: SimulatedOrder, fill: SimulatedFill): number =>
  detailsOf(order).side === 0 ? fill.priceMicros : 1_000_000 - fill.priceMicros

/** The venue's rows encode a purchase as 0 where its documentation says 1. */
function orderRow(order: SimulatedOrder, hidesTrades: boolean) {
  const { market, side, posted, shares } = detailsOf(order)
  const [status, statusEnum] = statuses[faultFor(order)]
  const filled = order.fills.reduce((sum, fill) => sum + (fill.hundredths * priceOf(order, fill)) / 1e8, 0)
  const buys = posted.side === '0'
  return {
    orderId: orderIdOf(order),
    transNo: orderIdOf(order),
    marketId: market.id,
    marketTitle: market.catalog.label,
    rootMarketId: market.event.isCategorical ? market.event.id : 0,
    side: buys ? 0 : 1,
    sideEnum: buys ? 'Buy' : 'Sell',
    tradingMethod: posted.tradingMethod,
    tradingMethodEnum: 'Limit',
    outcome: side === 0 ? 'YES' : 'NO',
    outcomeSide: side + 1,
    outcomeSideEnum: side === 0 ? 'Yes' : 'No',
    price: posted.price,
    orderShares: shares,
    orderAmount: String(Number(shares) * Number(posted.price)),
    filledShares: sharesText(order.filledHundredths),
    filledAmount: String(filled),
    profit: '0',
    status,
    statusEnum,
    quoteToken,
    createdAt: seconds(order.createdAtMs),
    expiresAt: 0,
    postOnly: posted.postOnly === true,
    trades: hidesTrades ? [] : order.fills.map((fill) => tradeRow(order, fill)),
  }
}

function tradeRow(order: SimulatedOrder, fill: SimulatedFill) {
  const { market, side, posted } = detailsOf(order)
  const price = priceOf(order, fill)
  const amount = (fill.hundredths * price) / 1e8
  return {
    orderNo: orderIdOf(order),
    tradeNo: stableUuid(`opinion/trade/${fill.id}`),
    txHash: `0x${digestHex(`opinion/tx/${fill.id}`)}`,
    marketId: market.id,
    side: posted.side === '0' ? 'Buy' : 'Sell',
    outcome: side === 0 ? 'YES' : 'NO',
    outcomeSide: side + 1,
    price: priceText(price),
    shares: sharesText(fill.hundredths),
    amount: String(amount),
    fee: 0,
    feeFormatted: '0',
    profit: '0',
    quoteToken,
    usdAmount: String(amount),
    status: 2,
    statusEnum: 'Finished',
    chainId: String(chainId),
    createdAt: seconds(fill.atMs),
  }
}

function positionRow({ order, isYes, hundredths, averageMicros }: LabPosition) {
  const { market, posted } = detailsOf(order)
  return {
    marketId: market.id,
    outcomeSide: isYes ? 1 : 2,
    tokenId: posted.tokenId,
    quoteToken,
    sharesOwned: sharesText(hundredths),
    sharesFrozen: '0',
    avgEntryPrice: (averageMicros / 1_000_000).toFixed(4),
    claimStatus: 0,
  }
}
