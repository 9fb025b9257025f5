// What Myriad's public reads send, unchanged. https://docs.myriad.markets/builders (API reference, order book API). Lists hold rows as
// `unknown`: one bad row is skipped and logged. Figures are documented as numbers, recorded as text.
import { z } from 'zod'
import { row, StateFlag, StateWord } from '../shared/data/row.ts'

const Figure = z.union([z.string(), z.number()]).transform(String)
const Digits = Figure.refine((text) => /^\d{1,15}$/.test(text))
/** Of a share or a price, in 1e-18. */
const Wei = z.string().regex(/^\d{1,40}$/)
/** Text we only pass on: a different form counts as unknown and does not cost the row. */
const Note = z.string().nullish().catch(null)
const Amount = Figure.nullish().catch(null)
const Flag = z.boolean().nullish().catch(null)

export const MyriadOutcome = z.object({
  id: Digits,
  title: z.string().min(1),
  /** The pool's holdings of it. */
  shares: Amount,
  price: Amount,
  /** Decimals, as far as known; null when it has a pool. */
  bestBid: Amount,
  bestAsk: Amount,
  sharesHeld: Amount,
  closingPrice: Amount,
  holders: Amount,
  tokenId: Amount,
})
export type MyriadOutcome = z.infer<typeof MyriadOutcome>

const Parts = z.object({ fee: Figure, treasury_fee: Figure, distributor_fee: Figure })
/** Of a pool: parts of one. */
export const MyriadPoolFees = z.object({ buy: Parts, sell: Parts })

export const MyriadMarket = row(
  z.object({
    id: Digits,
    networkId: Digits,
    slug: Note,
    title: z.string().min(1),
    description: Note,
    /** open, closed, resolved. */
    state: StateWord,
    voided: StateFlag,
    /** −1: none yet. */
    resolvedOutcomeId: Figure.nullish(),
    publishedAt: Note,
    expiresAt: Note,
    resolvesAt: Note,
    resolutionSource: Note,
    resolutionTitle: Note,
    /** Of a pool as above; an order book's are `taker_fee_bps` or a list of them, according to third parties. */
    fees: z.unknown().optional(),
    /** The collateral: the unit of prices, volumes and liquidity. */
    token: z.object({ address: Note, symbol: Note, decimals: Amount }).nullish(),
    imageUrl: Note,
    liquidity: Amount,
    liquidityPrice: Amount,
    volume: Amount,
    volume24h: Amount,
    volumeNotional: Amount,
    volumeNotional24h: Amount,
    users: Amount,
    topics: z.array(z.string()).nullish().catch(null),
    tags: z.array(z.string()).nullish().catch(null),
    /** Absent in old answers, which only contained pools. */
    tradingModel: z.enum(['amm', 'ob']).nullish(),
    negRisk: Flag,
    /** The event of several order books it belongs to. */
    eventId: Note,
    outcomeIndex: Amount,
    perpetual: Flag,
    moneyline: Flag,
    inPlay: Flag,
    inPlayStartsAt: Note,
    featured: Flag,
    outcomes: z.array(MyriadOutcome).min(2),
  }),
  { essential: ['tradingModel'] },
)
export type MyriadMarket = z.infer<typeof MyriadMarket>

const Pagination = z.object({
  page: z.number(),
  hasNext: z.boolean(),
  total: z.number().int().nonnegative().nullish().catch(null),
})
export const MyriadPage = z.object({ data: z.array(z.unknown()), pagination: Pagination.nullish() })

/** A question of several order books, with its markets. */
export const MyriadEvent = row(
  z.object({
    id: z.string().min(1),
    networkId: Digits.nullish(),
    slug: Note,
    title: z.string().min(1),
    description: Note,
    imageUrl: Note,
    state: StateWord,
    expiresAt: Note,
    publishedAt: Note,
    negRisk: Flag,
    volume: Amount,
    volume24h: Amount,
    liquidity: Amount,
    markets: z.array(z.unknown()),
  }),
)
export type MyriadEvent = z.infer<typeof MyriadEvent>
export const MyriadEvents = z.object({ data: z.array(z.unknown()) })

const Level = z.tuple([Wei, Wei]).rest(z.unknown())
export const MyriadBook = z.object({ bids: z.array(Level), asks: z.array(Level) })
export type MyriadBook = z.infer<typeof MyriadBook>

/** Of an order book. */
export const MyriadTrade = row(
  z.object({
    /** Decimal. */
    price: Figure,
    amount: Wei,
    /** The taker's. */
    side: Note,
    outcome: Figure,
    txHash: z.string().min(1),
    /** Unix seconds. */
    timestamp: Figure,
  }),
)
export type MyriadTrade = z.infer<typeof MyriadTrade>
export const MyriadTrades = z.array(z.unknown())

/** Of a pool; the same list includes liquidity and claims. */
export const MyriadAction = row(
  z.object({
    action: z.string(),
    outcomeId: Figure.nullish(),
    shares: Figure,
    /** Including fees for a purchase. */
    value: Figure,
    timestamp: Figure,
    txId: Note,
  }),
)
export type MyriadAction = z.infer<typeof MyriadAction>

/** On the socket: new sizes of an order book's levels; 0 means gone. */
export const MyriadChanges = z.object({
  networkId: Digits,
  marketId: Digits,
  /** Epoch ms, as far as known. */
  ts: Amount,
  changes: z.array(z.object({ outcome: Digits, side: z.enum(['bid', 'ask']), price: Wei, amount: Wei })),
})
export type MyriadChanges = z.infer<typeof MyriadChanges>

export const MyriadRefusal = z.object({ error: z.string() })
