// Order entry of the lab's predictstreet: the checks of `place`, cancelling, and the reads of orders and fills.
import { type Hex, hashTypedData, isAddressEqual, recoverAddress } from 'viem'
import { z } from 'zod'
import { ASK, BID } from '../engine/book.ts'
import { faultFor, type RejectReason, type SimulatedFill, type SimulatedOrder } from '../engine/orderManager.ts'
import { takeOrders } from '../orderOutcomeFaults.ts'
import { digestHex, stableUuid } from '../prng.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import type { StreetAccount, StreetAuth } from './auth.ts'
import type { StreetListing, StreetMarket } from './marketGenerator.ts'
import { refused } from './reads.ts'

/** The EIP-712 domain version, which the venue gives to its partners; documented on one page. */
export const domainVersion = '1'
const exchange = '0x3b32619897ae40C79b7086a0EB3F985077e7Fed7'
const zeroAddress = '0x0000000000000000000000000000000000000000'

const orderTypes = {
  Order: [
    { name: 'salt', type: 'uint256' },
    { name: 'maker', type: 'address' },
    { name: 'signer', type: 'address' },
    { name: 'taker', type: 'address' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'makerAmount', type: 'uint256' },
    { name: 'takerAmount', type: 'uint256' },
    { name: 'expiration', type: 'uint256' },
    { name: 'feeRateBps', type: 'uint256' },
    { name: 'side', type: 'uint8' },
    { name: 'signatureType', type: 'uint8' },
  ],
} as const

const Figure = z.string().regex(/^\d{1,12}(\.\d{1,6})?$/)
const PlaceOrder = z.strictObject({
  marketId: z.string(),
  side: z.enum(['buy', 'sell']),
  outcome: z.enum(['0', '1']),
  price: Figure,
  quantity: Figure,
  nonce: z.string().regex(/^\d{1,78}$/),
  expiry: z.literal(0),
  maker: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .transform((text) => text as Hex),
  signature: z
    .string()
    .regex(/^0x[0-9a-fA-F]{130}$/)
    .transform((text) => text as Hex),
  clientOrderId: z.string().max(128).optional(),
  type: z.enum(['limit', 'market']).default('limit'),
  timeInForce: z.enum(['gtc', 'ioc', 'fok']).default('gtc'),
})
type Wanted = z.infer<typeof PlaceOrder>

interface OrderDetails {
  wanted: Wanted
  market: StreetMarket
  account: StreetAccount
}
const detailsOf = (order: SimulatedOrder): OrderDetails => order.details as unknown as OrderDetails

const bad = (code: string, message: string): LabReply => refused(400, code, message)
/** Examined and rejected: the same shape as an acceptance. */
const turnedDown = (code: string, message: string): LabReply => ({
  status: 201,
  body: { orderId: '', status: 'REJECTED', filledQty: '0', remainingQty: '0', trades: [], code, message },
})

const microsOf = (figure: string): bigint => BigInt(Math.round(Number(figure) * 1_000_000))
/** The lab's book counts hundredths. */
const unitsPerHundredth = 10_000n

export function orderRoutes(
  { engine, faults, isKnown }: VenueCore,
  { listing, auth }: { listing: StreetListing; auth: StreetAuth },
): LabRoute[] {
  const { orderManager } = engine
  const route = (
    method: LabRoute['method'],
    path: string,
    handle: (request: LabRequest, account: StreetAccount) => LabReply | Promise<LabReply>,
  ): LabRoute => ({
    method,
    path,
    handle(request) {
      const account = auth.admit(request.headers)
      return 'status' in account ? account : handle(request, account)
    },
  })

  async function place({ body }: LabRequest, account: StreetAccount): Promise<LabReply> {
    const parsed = PlaceOrder.safeParse(body)
    if (!parsed.success) return bad('validation_failed', z.prettifyError(parsed.error))
    const wanted = parsed.data
    const market = listing.bySymbol.get(wanted.marketId)
    if (market === undefined || !isKnown(market.key)) return turnedDown('market_not_found', 'no such market')
    const [price, quantity] = [microsOf(wanted.price), microsOf(wanted.quantity)]
    if (price <= 0n || price >= 1_000_000n || quantity <= 0n || quantity % unitsPerHundredth !== 0n) {
      return bad('invalid_amounts', 'price or quantity')
    }
    if (wanted.type === 'market' && wanted.timeInForce === 'gtc') return bad('invalid_tif', 'MARKET with GTC')
    const signer = await recoverAddress({ hash: hashOf(wanted, market, account), signature: wanted.signature }).catch(
      () => null,
    )
    const isVault = isAddressEqual(wanted.maker, account.vault)
    if (signer === null || signer.toLowerCase() !== account.wallet || !isVault) {
      return bad('bad_signature', 'the signature is not that of the vault’s owner')
    }
    return take(wanted, market, account)
  }

  function take(wanted: Wanted, market: StreetMarket, account: StreetAccount): LabReply {
    const isYes = wanted.outcome === '0'
    const priceMicros = Number(microsOf(wanted.price))
    return takeOrders({
      orderManager,
      faults: faults(),
      rejected: turnedDown('insufficient_funds', 'overdraft on USDC (lock)'),
      place() {
        const details: OrderDetails = { wanted, market, account }
        const placed = orderManager.place(engine.market(market.key)!, {
          account: account.wallet,
          // Each outcome has its own book; the engine has one for both.
          side: (wanted.side === 'buy') === isYes ? BID : ASK,
          priceMicros: isYes ? priceMicros : 1_000_000 - priceMicros,
          hundredths: Number(microsOf(wanted.quantity) / unitsPerHundredth),
          clientId: wanted.clientOrderId ?? null,
          life: ({ gtc: 'gtc', ioc: 'ioc', fok: 'fok' } as const)[wanted.timeInForce],
          details: { ...details },
        })
        if (typeof placed === 'string') return { orders: [], reply: turnedDown(placed, sentences[placed]) }
        const { id, status, filledQty, remainingQty } = rowOf(placed)
        const reply = { status: 201, body: { orderId: id, status, filledQty, remainingQty, trades: [] } }
        return { orders: [placed], reply }
      },
    })
  }

  const own = ({ wallet }: StreetAccount, id: unknown): SimulatedOrder | undefined =>
    faults().hides('orders') ? undefined : orderManager.ordersOf(wallet).find((order) => idOf(order) === id)
  const noOrder = refused(404, 'order_not_found', 'Order not found')

  return [
    route('POST', '/api/orders/place', place),
    route('POST', '/api/orders/cancel', ({ body }, { wallet }) => {
      const { orderId } = (body ?? {}) as { orderId?: unknown }
      const order = orderManager.ordersOf(wallet).find((each) => idOf(each) === orderId)
      if (order === undefined || !orderManager.cancel(order)) return ok({ orderId, status: 'not_found' })
      return ok({ orderId, status: 'CANCELLED', remainingQty: rowOf(order).remainingQty })
    }),
    route('GET', '/api/orders/open', ({ query }, account) => {
      const orders = (faults().hides('orders') ? [] : orderManager.ordersOf(account.wallet))
        .filter(({ status }) => status === 'open')
        .filter((order) => [null, detailsOf(order).wanted.marketId].includes(query.get('marketId')))
      return ok({ walletAddress: account.wallet, orders: orders.map(rowOf), nextCursor: null })
    }),
    route('GET', '/api/orders/:id', ({ params }, account) => {
      const order = own(account, params.id)
      return order === undefined ? noOrder : ok(rowOf(order))
    }),
    route('GET', '/api/orders/:id/fills', ({ params }, account) => {
      const order = own(account, params.id)
      if (order === undefined) return noOrder
      const fills = faults().hides('fills') ? [] : order.fills
      return ok({ orderId: idOf(order), trades: fills.map((fill) => tradeRow(order, fill)) })
    }),
  ]
}

const idOf = ({ ordinal }: SimulatedOrder): string => stableUuid(`predictstreet/order/${ordinal}`)
const plain = (hundredths: number): string => String(hundredths / 100)

/** What the signature is over: a buyer’s cash is rounded up. */
function hashOf(wanted: Wanted, market: StreetMarket, { wallet }: StreetAccount): Hex {
  const shares = microsOf(wanted.quantity)
  const product = shares * microsOf(wanted.price)
  const cash = (product + 999_999n) / 1_000_000n
  const isBuy = wanted.side === 'buy'
  return hashTypedData({
    domain: { name: 'PredictStreet', version: domainVersion, chainId: 36_900, verifyingContract: exchange },
    types: orderTypes,
    primaryType: 'Order',
    message: {
      salt: BigInt(wanted.nonce),
      maker: wanted.maker,
      signer: wallet as Hex,
      taker: zeroAddress,
      tokenId: BigInt(market.tokens[Number(wanted.outcome) as 0 | 1]),
      makerAmount: isBuy ? cash : shares,
      takerAmount: isBuy ? shares : product / 1_000_000n,
      expiration: 0n,
      feeRateBps: 0n,
      side: isBuy ? 0 : 1,
      signatureType: 1,
    },
  })
}

const statusWords = { open: 'OPEN', filled: 'FILLED', canceled: 'CANCELLED', expired: 'EXPIRED' } as const

function rowOf(order: SimulatedOrder) {
  const { wanted, account } = detailsOf(order)
  const { status, filledHundredths, hundredths } = order
  return {
    id: idOf(order),
    userWallet: account.wallet,
    vault: account.vault,
    marketId: wanted.marketId,
    side: wanted.side,
    outcome: wanted.outcome,
    price: wanted.price,
    quantity: plain(hundredths),
    filledQty: plain(filledHundredths),
    remainingQty: plain(hundredths - filledHundredths),
    expiry: 0,
    type: wanted.type,
    timeInForce: wanted.timeInForce,
    status: status === 'open' && filledHundredths > 0 ? 'PARTIAL' : statusWords[faultFor(order)],
    clientOrderId: wanted.clientOrderId ?? null,
    createdAt: new Date(order.createdAtMs).toISOString(),
    updatedAt: new Date(order.updatedAtMs).toISOString(),
  }
}

function tradeRow(order: SimulatedOrder, fill: SimulatedFill) {
  const { wanted, account } = detailsOf(order)
  const micros = wanted.outcome === '0' ? fill.priceMicros : 1_000_000 - fill.priceMicros
  return {
    id: stableUuid(`predictstreet/fill/${fill.id}`),
    orderId: idOf(order),
    userWallet: account.wallet,
    vault: account.vault,
    marketId: wanted.marketId,
    price: (micros / 1_000_000).toFixed(6),
    quantity: plain(fill.hundredths),
    fee: '0',
    side: wanted.side,
    status: 'settled',
    txHash: `0x${digestHex(`predictstreet/tx/${fill.id}`).slice(0, 64)}`,
    createdAt: new Date(fill.atMs).toISOString(),
  }
}

const sentences: Record<RejectReason, string> = {
  market_closed: 'the market is not OPEN',
  off_grid: 'price tick size is 0.01',
  no_size: 'quantity is too small',
  would_cross: 'the order would take',
  not_filled: 'the order could not be filled whole',
  duplicate_client_id: 'clientOrderId was used before',
}
