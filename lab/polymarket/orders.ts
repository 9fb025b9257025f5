// Order entry of the lab's CLOB: the checks of `POST /order`, and the private reads.
// An order is identified by its EIP-712 hash, as at the venue.
import {
  concat,
  encodeAbiParameters,
  type Hex,
  hashStruct,
  hashTypedData,
  isAddressEqual,
  keccak256,
  parseAbiParameters,
  recoverAddress,
  toHex,
} from 'viem'
import { z } from 'zod'
import { ASK, BID } from '../engine/book.ts'
import type { Engine } from '../engine/engine.ts'
import type { RejectReason, SimulatedFill, SimulatedOrder } from '../engine/orderManager.ts'
import type { Faults } from '../faults.ts'
import { digestHex, stableUuid } from '../prng.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import { MIN_ORDER_SIZE, priceText } from './encode.ts'
import type { PolyListing, PolyMarket } from './marketGenerator.ts'
import { type ApiKey, chainId, type Wallets, walletsOf } from './wallets.ts'

const exchanges = {
  plain: '0xE111180000d2663C0091e4f400237545B87B996B',
  negRisk: '0xe2222d279d744050d28e00520010520000310F59',
  v3: '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa',
} as const

/** An order with an expiry ends this long before it. */
const expirySafetyMs = 60_000
/** Nearer expiries are refused. */
const expiryAheadMs = 180_000

const orderTypes = {
  Order: [
    { name: 'salt', type: 'uint256' },
    { name: 'maker', type: 'address' },
    { name: 'signer', type: 'address' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'makerAmount', type: 'uint256' },
    { name: 'takerAmount', type: 'uint256' },
    { name: 'side', type: 'uint8' },
    { name: 'signatureType', type: 'uint8' },
    { name: 'timestamp', type: 'uint256' },
    { name: 'metadata', type: 'bytes32' },
    { name: 'builder', type: 'bytes32' },
  ],
} as const

const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const Bytes32 = z.string().regex(/^0x[0-9a-fA-F]{64}$/)
const Digits = z.string().regex(/^\d{1,80}$/)

const PostOrder = z.strictObject({
  deferExec: z.boolean().optional(),
  postOnly: z.boolean().optional(),
  order: z.strictObject({
    salt: z.int().nonnegative(),
    maker: Address,
    signer: Address,
    tokenId: Digits,
    makerAmount: Digits,
    takerAmount: Digits,
    side: z.enum(['BUY', 'SELL']),
    signatureType: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
    timestamp: Digits,
    expiration: Digits,
    metadata: Bytes32,
    builder: Bytes32,
    /** 65 bytes; of a deposit wallet 317. */
    signature: z.string().regex(/^0x([0-9a-fA-F]{130}|[0-9a-fA-F]{634})$/),
  }),
  owner: z.string(),
  orderType: z.enum(['GTC', 'GTD', 'FOK', 'FAK']),
})
type Posted = z.infer<typeof PostOrder>

const bad = (error: string): LabReply => ({ status: 400, body: { error } })
const lives = { GTC: 'gtc', GTD: 'gtc', FOK: 'fok', FAK: 'ioc' } as const

interface OrderDetails {
  hash: Hex
  market: PolyMarket
  side: 0 | 1
  posted: Posted
  expiresMs: number | null
}
export const detailsOf = (order: SimulatedOrder): OrderDetails => order.details as unknown as OrderDetails

export function orderRoutes(options: {
  listing: PolyListing
  engine: Engine
  faults: () => Faults
  wallets: Wallets
  nowMs: () => number
}): LabRoute[] {
  const { listing, engine, faults, wallets, nowMs } = options
  const { orderManager } = engine
  /** Decimal cents of the engine's hundredths are 6-decimal base units over 10,000. */
  const hundredthsOf = (units: bigint): number => Number(units / 10_000n)

  const isPrivate =
    (handle: (request: LabRequest, key: ApiKey) => LabReply | Promise<LabReply>) =>
    (request: LabRequest): LabReply | Promise<LabReply> => {
      const admitted = wallets.admit(request.headers, request.method, request.path.replace(/^\/clob/, ''), request.text)
      return 'status' in admitted ? admitted : handle(request, admitted)
    }

  async function post({ body }: LabRequest, key: ApiKey): Promise<LabReply> {
    const parsed = PostOrder.safeParse(body)
    if (!parsed.success) return bad('Invalid order payload')
    const posted = parsed.data
    const { order } = posted
    if (posted.owner !== key.apiKey) return bad('the order owner has to be the owner of the API KEY')
    const isWallet = order.signatureType === 3
    if (!isAddressEqual(order.signer as Hex, isWallet ? (order.maker as Hex) : key.address))
      return bad('the order signer address has to be the address of the API KEY')
    const found = listing.byToken.get(order.tokenId)
    if (found === undefined) return { status: 404, body: { error: 'No orderbook exists for the requested token id' } }
    const hash = hashOf(posted, found.market)
    const signatureRequest = isWallet ? walletRequest(posted, found.market) : { hash, tail: '' }
    const inner = order.signature.slice(0, 132) as Hex
    if (order.signature.slice(132).toLowerCase() !== signatureRequest.tail) return bad('invalid signature')
    const signer = await recoverAddress({ hash: signatureRequest.hash, signature: inner }).catch(() => null)
    if (signer === null || !isAddressEqual(signer, key.address)) return bad('invalid signature')
    const wallets = walletsOf(signer, order.signatureType)
    if (!wallets.some((wallet) => isAddressEqual(order.maker as Hex, wallet))) return bad('invalid signature')
    const buys = order.side === 'BUY'
    const shares = BigInt(buys ? order.takerAmount : order.makerAmount)
    const cash = BigInt(buys ? order.makerAmount : order.takerAmount)
    if (shares === 0n || shares % 10_000n !== 0n) return bad('Invalid order payload')
    if (shares < BigInt(MIN_ORDER_SIZE) * 1_000_000n)
      return bad(`order ${hash} is invalid. Size (${Number(shares) / 1e6}) lower than the minimum: ${MIN_ORDER_SIZE}`)
    const neverRests = posted.orderType === 'FOK' || posted.orderType === 'FAK'
    if (neverRests && posted.postOnly === true) return bad('Invalid order payload')
    if (neverRests && buys && cash % 10_000n !== 0n)
      return bad('invalid amounts, the market buy orders maker amount supports a max accuracy of 2 decimals')
    const live = engine.market(found.market.key)!
    const priceMicros = Math.round((Number(cash) / Number(shares)) * 1_000_000)
    if (live.book.grid.indexOf(priceMicros) < 0)
      return bad(
        `order ${hash} is invalid. Price (${priceMicros / 1e6}) breaks minimum tick size rule: ${priceText(live.book.grid.stepMicros)}`,
      )
    const expiresMs = posted.orderType === 'GTD' ? Number(order.expiration) * 1_000 : null
    if (expiresMs === null ? order.expiration !== '0' : expiresMs - expiryAheadMs < nowMs())
      return bad('invalid expiration')
    if (orderManager.findByClientId(key.address, hash) !== null) return bad(`order ${hash} is invalid. Duplicated.`)
    const fault = faults().orderFault()
    if (fault?.outcome === 'vanish') return { status: 500, body: '', cut: true }
    if (fault?.outcome === 'reject') return bad('not enough balance / allowance')
    const details: OrderDetails = { hash, market: found.market, side: found.side, posted, expiresMs }
    const placed = orderManager.place(live, {
      account: key.address,
      // Buying one token is selling the other at one minus the price.
      side: buys === (found.side === 0) ? BID : ASK,
      priceMicros: found.side === 0 ? priceMicros : 1_000_000 - priceMicros,
      hundredths: hundredthsOf(shares),
      clientId: hash,
      life: lives[posted.orderType],
      postOnly: posted.postOnly,
      details: { ...details },
    })
    if (typeof placed === 'string') return refusal(placed, hash)
    const filled = placed.fills.reduce((sum, fill) => sum + fill.hundredths, 0)
    const paid = placed.fills.reduce((sum, fill) => sum + (fill.hundredths * priceOf(placed, fill)) / 1e8, 0)
    if (posted.orderType === 'FAK' && filled === 0)
      return bad(
        'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.',
      )
    const [making, taking] = buys ? [paid, filled / 100] : [filled / 100, paid]
    const reply = ok({
      success: true,
      errorMsg: '',
      orderID: hash,
      status: filled === 0 ? 'live' : 'matched',
      makingAmount: filled === 0 ? '' : String(making),
      takingAmount: filled === 0 ? '' : String(taking),
      ...(filled === 0 ? {} : { transactionsHashes: [txOf(placed)], tradeIDs: placed.fills.map(tradeIdOf) }),
    })
    if (fault?.outcome === 'forget') orderManager.forget(placed)
    if (fault?.outcome === 'drop') return { ...reply, cut: true }
    return fault?.outcome === 'late' ? { ...reply, lateMs: fault.delayMs } : reply
  }

  function refusal(reason: RejectReason, hash: Hex): LabReply {
    if (reason === 'market_closed') return bad('the market is not yet ready to process new orders')
    if (reason === 'would_cross') return bad('invalid post-only order: order crosses book')
    if (reason === 'not_filled') return bad("order couldn't be fully filled. FOK orders are fully filled or killed.")
    return bad(reason === 'duplicate_client_id' ? `order ${hash} is invalid. Duplicated.` : 'Invalid order payload')
  }

  /** Expiry is noticed on reads. */
  function expire(order: SimulatedOrder): SimulatedOrder {
    const { expiresMs } = detailsOf(order)
    if (expiresMs !== null && expiresMs - expirySafetyMs <= nowMs()) orderManager.cancel(order)
    return order
  }

  const own = (key: ApiKey): SimulatedOrder[] => orderManager.ordersOf(key.address).map(expire)

  function cancel(id: unknown, key: ApiKey): { id: string; reason: string | null } {
    const text = String(id)
    const order = orderManager.findByClientId(key.address, text)
    if (order === null) return { id: text, reason: 'order not found' }
    if (orderManager.cancel(expire(order))) return { id: text, reason: null }
    return { id: text, reason: order.status === 'filled' ? 'order already matched' : 'order already canceled' }
  }

  const canceled = (results: readonly { id: string; reason: string | null }[]): LabReply =>
    ok({
      canceled: results.filter(({ reason }) => reason === null).map(({ id }) => id),
      not_canceled: Object.fromEntries(results.filter(({ reason }) => reason !== null).map((r) => [r.id, r.reason])),
    })

  const page = (data: unknown[]) => ok({ limit: 100, count: data.length, next_cursor: 'LTE=', data })

  const credentials = async ({ headers }: LabRequest): Promise<LabReply> => {
    const key = await wallets.open(headers)
    return 'status' in key ? key : ok({ apiKey: key.apiKey, secret: key.secret, passphrase: key.passphrase })
  }

  return [
    { method: 'POST', path: '/clob/auth/api-key', handle: credentials },
    { method: 'GET', path: '/clob/auth/derive-api-key', handle: credentials },
    { method: 'POST', path: '/clob/order', handle: isPrivate(post) },
    {
      method: 'DELETE',
      path: '/clob/order',
      handle: isPrivate(({ body }, key) => canceled([cancel((body as { orderID?: unknown })?.orderID, key)])),
    },
    {
      method: 'GET',
      path: '/clob/data/order/:id',
      handle: isPrivate(({ params }, key) => {
        const order = orderManager.findByClientId(key.address, params.id!)
        // Finished orders disappear from here: only their trades remain.
        if (order === null || expire(order).status !== 'open' || faults().hides('orders'))
          return { status: 404, body: { error: 'order not found' } }
        return ok(orderRow(order, key))
      }),
    },
    {
      method: 'GET',
      path: '/clob/data/orders',
      handle: isPrivate(({ query }, key) => {
        const [id, market, asset] = [query.get('id'), query.get('market'), query.get('asset_id')]
        const rows = own(key)
          .filter(({ status }) => status === 'open' && !faults().hides('orders'))
          .map((order) => orderRow(order, key))
          .filter((row) => (id ?? row.id) === row.id && (market ?? row.market) === row.market)
          .filter((row) => (asset ?? row.asset_id) === row.asset_id)
        return page(rows)
      }),
    },
    {
      method: 'GET',
      path: '/clob/data/trades',
      handle: isPrivate(({ query }, key) => {
        const [id, market, asset] = [query.get('id'), query.get('market'), query.get('asset_id')]
        const rows = (faults().hides('fills') ? [] : own(key))
          .flatMap((order) => order.fills.map((fill) => tradeRow(order, fill, key)))
          .map((row) => ({ ...row, status: faults().tradeStage }))
          .filter((row) => (id ?? row.id) === row.id && (market ?? row.market) === row.market)
          .filter((row) => (asset ?? row.asset_id) === row.asset_id)
          .filter((row) => Number(query.get('after') ?? 0) <= Number(row.match_time))
          .filter((row) => Number(query.get('before') ?? Infinity) >= Number(row.match_time))
        return page(rows.reverse())
      }),
    },
  ]
}

const domainOf = (market: PolyMarket) => ({
  name: 'Polymarket CTF Exchange',
  version: market.protocol === 'v2' ? '3' : '2',
  chainId,
  verifyingContract:
    market.protocol === 'v2' ? exchanges.v3 : market.event.negRisk ? exchanges.negRisk : exchanges.plain,
})

const structOf = ({ order }: Posted) => ({
  salt: BigInt(order.salt),
  maker: order.maker as Hex,
  signer: order.signer as Hex,
  tokenId: BigInt(order.tokenId),
  makerAmount: BigInt(order.makerAmount),
  takerAmount: BigInt(order.takerAmount),
  side: order.side === 'BUY' ? 0 : 1,
  signatureType: order.signatureType,
  timestamp: BigInt(order.timestamp),
  metadata: order.metadata as Hex,
  builder: order.builder as Hex,
})

/** The order's id, and what its signature is over. */
const hashOf = (posted: Posted, market: PolyMarket): Hex =>
  hashTypedData({ domain: domainOf(market), types: orderTypes, primaryType: 'Order', message: structOf(posted) })

const orderText =
  'Order(uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,uint256 takerAmount,uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,bytes32 builder)'

/** Of a deposit wallet (ERC-7739): what its owner signs, and what must follow the owner's signature. */
function walletRequest(posted: Posted, market: PolyMarket): { hash: Hex; tail: string } {
  const domain = domainOf(market)
  const contents = hashStruct({ types: orderTypes, primaryType: 'Order', data: structOf(posted) })
  const separator = keccak256(
    encodeAbiParameters(parseAbiParameters('bytes32, bytes32, bytes32, uint256, address'), [
      keccak256(toHex('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)')),
      keccak256(toHex(domain.name)),
      keccak256(toHex(domain.version)),
      BigInt(chainId),
      domain.verifyingContract,
    ]),
  )
  const nested = keccak256(
    encodeAbiParameters(parseAbiParameters('bytes32, bytes32, bytes32, bytes32, uint256, address, bytes32'), [
      keccak256(
        toHex(
          `TypedDataSign(Order contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)${orderText}`,
        ),
      ),
      contents,
      keccak256(toHex('DepositWallet')),
      keccak256(toHex('1')),
      BigInt(chainId),
      posted.order.signer as Hex,
      `0x${'0'.repeat(64)}`,
    ]),
  )
  const parts = [separator, contents, toHex(orderText), toHex(orderText.length, { size: 2 })]
  return {
    hash: keccak256(concat(['0x1901', separator, nested])),
    tail: parts
      .map((part) => part.slice(2))
      .join('')
      .toLowerCase(),
  }
}

const statusWords = { open: 'LIVE', filled: 'MATCHED', canceled: 'CANCELED' } as const

/** Price of a fill in the order's own token. */
const priceOf = (order: SimulatedOrder, fill: SimulatedFill): number =>
  detailsOf(order).side === 0 ? fill.priceMicros : 1_000_000 - fill.priceMicros

const tradeIdOf = (fill: SimulatedFill): string => stableUuid(`fill/${fill.id}`)
const txOf = (order: SimulatedOrder): string => `0x${digestHex(`tx/${order.ordinal}`)}`

function orderRow(order: SimulatedOrder, key: ApiKey) {
  const { hash, market, side, posted } = detailsOf(order)
  return {
    id: hash,
    status: statusWords[order.status],
    owner: key.apiKey,
    maker_address: posted.order.maker,
    market: market.conditionId,
    asset_id: posted.order.tokenId,
    side: posted.order.side,
    original_size: String(order.hundredths / 100),
    size_matched: String(order.filledHundredths / 100),
    price: priceText(side === 0 ? order.priceMicros : 1_000_000 - order.priceMicros),
    associate_trades: order.fills.map(tradeIdOf),
    outcome: market.outcomes[side],
    created_at: Math.floor(order.createdAtMs / 1_000),
    expiration: posted.order.expiration,
    order_type: posted.orderType,
  }
}

function tradeRow(order: SimulatedOrder, fill: SimulatedFill, key: ApiKey) {
  const { hash, market, side, posted } = detailsOf(order)
  const mine = {
    owner: key.apiKey,
    maker_address: posted.order.maker,
    asset_id: posted.order.tokenId,
    outcome: market.outcomes[side],
    side: posted.order.side,
    price: priceText(priceOf(order, fill)),
    fee_rate_bps: '0',
  }
  const size = String(fill.hundredths / 100)
  const other = `0x${digestHex(`counterparty/${fill.id}`)}`
  const makerOrder = {
    ...mine,
    order_id: fill.maker ? hash : other,
    matched_amount: size,
    outcome_index: side,
    ...(fill.maker ? {} : { owner: stableUuid(`flow/${fill.id}`), maker_address: other.slice(0, 42) }),
  }
  const seconds = String(Math.floor(fill.atMs / 1_000))
  return {
    ...mine,
    id: tradeIdOf(fill),
    taker_order_id: fill.maker ? other : hash,
    market: market.conditionId,
    size,
    status: 'CONFIRMED',
    match_time: seconds,
    last_update: seconds,
    bucket_index: 0,
    transaction_hash: `0x${digestHex(`tx/fill/${fill.trade}/${market.conditionId}`)}`,
    trader_side: fill.maker ? 'MAKER' : 'TAKER',
    type: 'TRADE',
    maker_orders: [makerOrder],
  }
}
