// Stream protocol: client operations, acknowledgements, close codes. Frames are encoded by src/stream/frames.ts.
import { z } from 'zod'
import { algorithmEvents, ExecutionAlgorithm } from './algorithms.ts'
import { ConditionalOrder, ConditionalStatus } from './conditional.ts'
import { ExecutionStatus, Fill, Intent } from './executions.ts'
import { PortfolioPosition, VenueTotals } from './portfolio.ts'
import { StructureKind } from './structures.ts'
import { canonicalVenue, tradeFilterVenue } from './venues.ts'

/** Markets per message; more ids would rarely fit a message anyway. */
export const marketsPerMessageMax = 500
/** Levels per side to which a book can be truncated. */
export const bookDepths = [1, 5, 20] as const

/** Longest interval a subscriber of the surface can request. */
export const arbitrageIntervalMsMax = 30_000

const Venue = z.string().min(1).max(64).transform(canonicalVenue)
const Id = z.string().min(1).max(256)

/** Markets per replay. */
export const replayMarketsMax = 20
export const replaySpeedMin = 0.1
export const replaySpeedMax = 1_000

/** An unknown field next to the key does not close the socket; any other unknown input is rejected. */
export const ClientOp = z.discriminatedUnion('op', [
  z.object({ op: z.literal('auth'), apiKey: z.string().max(256) }),
  z.strictObject({
    op: z.enum(['subscribe', 'unsubscribe']),
    channel: z.enum(['orderbook', 'trades']),
    venue: Venue,
    marketId: Id.optional().describe(
      'The venue’s own id of a book, an outcome of the catalog, or a market of the catalog (its first outcome, if it has two). Frames repeat it as written here',
    ),
    outcomeId: Id.optional().describe('An alternative to marketId, with the same effect'),
    marketIds: z
      .array(Id)
      .min(1)
      .max(marketsPerMessageMax)
      .optional()
      .describe('Instead of marketId: several ids, each acknowledged or refused separately, in this order'),
    depth: z
      .union([...bookDepths.map((levels) => z.literal(levels)), z.literal('all')])
      .optional()
      .describe('For books: how many of the best levels of each side, sent when one of them changes; all by default'),
    filters: z
      .unknown()
      .optional()
      .describe(`for ${tradeFilterVenue} trades: {"status": "confirmed" | "pending" | "all"}; confirmed by default`),
  }),
  z.strictObject({ op: z.enum(['subscribeAll', 'unsubscribeAll']), channel: z.literal('orderbook'), venue: Venue }),
  z.strictObject({ op: z.enum(['subscribeFeedTicker', 'unsubscribeFeedTicker']), feed: Id, symbol: Id }),
  z.strictObject({
    op: z.enum(['subscribePrice', 'unsubscribePrice']),
    venue: Venue,
    marketId: Id.optional().describe(
      'A market of the catalog, an outcome of it, or the venue’s own id of the pool. Frames repeat it as written here',
    ),
    outcomeId: Id.optional().describe(
      'An alternative to marketId, with the same effect; the acknowledgement repeats it',
    ),
    /** Required by Rain. */
    marketAddress: Id.regex(/^(?!0X)/, 'an address begins with 0x, the x in lower case').optional(),
  }),
  z.strictObject({
    op: z.literal('subscribeArbitrage'),
    executableOnly: z.boolean().optional(),
    venues: z.array(Venue).max(32).optional(),
    minEdge: z.number().optional(),
    /** 0: immediately. */
    intervalMs: z.number().int().min(0).max(arbitrageIntervalMsMax).optional(),
  }),
  z.strictObject({ op: z.literal('unsubscribeArbitrage') }),
  z.strictObject({
    op: z.literal('subscribeStructures'),
    executableOnly: z.boolean().optional(),
    kinds: z.array(StructureKind).max(StructureKind.options.length).optional(),
    venues: z.array(Venue).max(32).optional(),
    minEdge: z.number().optional(),
  }),
  z.strictObject({ op: z.literal('unsubscribeStructures') }),
  z.strictObject({ op: z.literal('subscribeOrders') }),
  z.strictObject({ op: z.literal('unsubscribeOrders') }),
  z.strictObject({ op: z.literal('subscribePortfolio') }),
  z.strictObject({ op: z.literal('unsubscribePortfolio') }),
  z.strictObject({
    op: z.literal('subscribeReplay'),
    markets: z
      .array(
        z.strictObject({
          venue: Venue,
          marketId: Id.optional().describe(
            'An outcome, as history takes it, or a market of the catalog with two (its Yes). Frames repeat it as written here',
          ),
          outcomeId: Id.optional().describe('An alternative to marketId, with the same effect'),
        }),
      )
      .min(1)
      .max(replayMarketsMax),
    since: z.union([z.string(), z.number()]).describe('inclusive; ISO time or epoch ms'),
    until: z.union([z.string(), z.number()]).describe('inclusive, at most 31 days after since'),
    speed: z
      .union([z.number().min(replaySpeedMin).max(replaySpeedMax), z.literal('max')])
      .optional()
      .describe('seconds of tape per second; max: as fast as the socket is read; 1 by default'),
    channels: z
      .array(z.enum(['orderbook', 'trades']))
      .min(1)
      .max(2)
      .optional()
      .describe('both by default'),
  }),
  z.strictObject({ op: z.literal('pauseReplay') }),
  z.strictObject({ op: z.literal('resumeReplay') }),
  z.strictObject({ op: z.literal('unsubscribeReplay') }),
])
export type ClientOp = z.infer<typeof ClientOp>

/** Keyed by `marketId`, whichever name the client used. */
interface ByMarket {
  marketId: string
}
type PriceRequest = Extract<ClientOp, { op: 'subscribePrice' | 'unsubscribePrice' }>
type ReplayRequest = Extract<ClientOp, { op: 'subscribeReplay' }>
export type PriceOp = PriceRequest & ByMarket
export type ReplayOp = Omit<ReplayRequest, 'markets'> & { markets: (ReplayRequest['markets'][number] & ByMarket)[] }
/** Operations as processed. */
export type NamedOp = Exclude<ClientOp, PriceRequest | ReplayRequest> | PriceOp | ReplayOp

/** Channels other than books and trades, each with operations of its own name. Availability depends on the deployment. */
export const streamChannels = [
  'feedTicker',
  'price',
  'arbitrage',
  'structures',
  'orders',
  'portfolio',
  'replay',
] as const
export type StreamChannel = (typeof streamChannels)[number]

export const isStreamChannel = (name: string | undefined): name is StreamChannel =>
  (streamChannels as readonly (string | undefined)[]).includes(name)

const channelsByOp: ReadonlyMap<string, StreamChannel> = new Map(
  streamChannels.flatMap((channel) => {
    const name = channel.charAt(0).toUpperCase() + channel.slice(1)
    return ['subscribe', 'unsubscribe', 'pause', 'resume']
      .map((verb) => `${verb}${name}`)
      .map((op): [string, StreamChannel] => [op, channel])
  }),
)

/** The channel of an operation named after it, which has no field for the channel. */
export const channelOfOp = (op: string): StreamChannel | undefined => channelsByOp.get(op)

/** An execution as streamed to its owner: its purpose and status, without the artifact. */
export const OrderState = z
  .object({
    executionId: z.uuid(),
    venue: z.string(),
    intent: Intent,
    status: ExecutionStatus,
    venueRef: z.string().nullable(),
    /** The execution that a cancel or a modify applies to. */
    targetExecutionId: z.uuid().nullable(),
    /** For orders and modifications, read from the artifact: probability dollars, and contracts or shares. */
    marketId: z.string().nullable(),
    outcomeId: z.string().nullable(),
    side: z.enum(['buy', 'sell']).nullable(),
    price: z.string().nullable(),
    size: z.string().nullable(),
    /** Largest filled size the venue has reported; null: none reported. */
    matchedSize: z.string().nullable(),
    error: z.string().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'OrderState' })
export type OrderState = z.infer<typeof OrderState>

/** `data` of an `orders` frame. */
export const OrdersData = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('snapshot'),
      /**
       * `behind`: the socket was too slow and changes were dropped. `gap`: changes may have been missed. Clients catch up on fills over HTTP.
       */
      reason: z.enum(['subscribed', 'behind', 'gap']),
      /** In flight (`submitted`, `acked`), newest first. */
      executions: z.array(OrderState),
      /** Living (`armed`, `triggered`, `firing`), newest first. */
      conditionals: z.array(ConditionalOrder),
      /** Execution algorithms that are `running` or `ending`, newest first. Absent: none, or they are in another part. */
      algorithms: z.array(ExecutionAlgorithm).optional(),
      /** Older ones exist that are not included. */
      truncated: z.boolean(),
      part: z.object({ i: z.number().int(), n: z.number().int() }),
    }),
    z.object({
      kind: z.literal('execution'),
      previousStatus: ExecutionStatus,
      occurredAt: z.iso.datetime(),
      /** `status` is the status after that change; everything else is current at send time. */
      execution: OrderState,
    }),
    z.object({ kind: z.literal('fill'), fill: Fill }),
    z.object({
      kind: z.literal('conditional'),
      /** Null when it was just armed. */
      previousStatus: ConditionalStatus.nullable(),
      occurredAt: z.iso.datetime(),
      conditional: ConditionalOrder,
    }),
    z.object({
      kind: z.literal('algorithm'),
      /**
       * `slice_offered`: `liveSlice` is built. Of one that is `awaiting_signature`, its owner submits `executionId` before `signBy`.
       * `cancel_offered`: its owner submits `cancelExecutionId`.
       */
      event: z.enum(algorithmEvents),
      occurredAt: z.iso.datetime(),
      /** Current at send time. */
      algorithm: ExecutionAlgorithm,
    }),
  ])
  .meta({ id: 'OrdersData' })
export type OrdersData = z.infer<typeof OrdersData>

export const PortfolioSnapshotReason = z.enum(['subscribed', 'behind'])
export type PortfolioSnapshotReason = z.infer<typeof PortfolioSnapshotReason>

const portfolioFields = {
  /** Increases by one with each snapshot and each change of this subscription; the parts of a snapshot share it. */
  seq: z.number().int().min(1),
  /** When the portfolio was read. */
  asOf: z.iso.datetime(),
  /** Sources that did not answer: values that depend on them are null. */
  unavailable: z.array(z.string()),
}

/** `data` of a `portfolio` frame. */
export const PortfolioData = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('snapshot'),
      ...portfolioFields,
      /** `behind`: the socket was too slow and changes were dropped. */
      reason: PortfolioSnapshotReason,
      /** Open, or with a payout that is not collected; the one changed last comes first. */
      positions: z.array(PortfolioPosition),
      /** By venue and currency, all of them in the first part. */
      summary: z.array(VenueTotals),
      /** Older positions exist that are not included. */
      truncated: z.boolean(),
      part: z.object({ i: z.number().int(), n: z.number().int() }),
    }),
    z.object({
      kind: z.literal('change'),
      ...portfolioFields,
      /** New and changed ones, complete. */
      positions: z.array(PortfolioPosition),
      /** No longer open. */
      removed: z.array(PortfolioPosition.pick({ venue: true, marketId: true, outcomeId: true })),
      /** Changed rows, complete. */
      summary: z.array(VenueTotals),
      /** Rows that no entry belongs to any more. */
      removedSummary: z.array(VenueTotals.pick({ venue: true, currency: true })),
    }),
  ])
  .meta({ id: 'PortfolioData' })
export type PortfolioData = z.infer<typeof PortfolioData>

/** Close code for every authentication failure, sent after an UNAUTHORIZED error frame. */
export const closeUnauthorized = 4001
/** The socket's oldest undrained frame is too old: reconnect and take a fresh snapshot. */
export const closeSlowConsumer = 4008
/** Too many client messages after a RATE_LIMITED error. */
export const closeFlood = 4029
/** The key store is unavailable: reconnect later. */
export const closeTryAgain = 1013
/** A larger client message is answered BAD_MESSAGE without being parsed. */
export const messageBytesMax = 16 * 1024
/** A client message larger than `messageBytesMost` closes the socket. */
export const closeTooBig = 1009
export const messageBytesMost = 64 * 1024
/** The server is stopping. */
export const closeGoingAway = 1001

/** Browser clients send `auth` as the first frame within this time. */
export const authDeadlineMs = 10_000
