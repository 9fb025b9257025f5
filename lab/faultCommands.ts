// The faults that `POST /lab/faults` accepts, their options, and what each does to a venue.
import { z } from 'zod'

/** Public id: token id or condition id (polymarket), ticker (kalshi). Absent: every market. */
const market = z.string().min(1).optional()
const oneMarket = z.string().min(1)
const count = z.int().min(1).max(1_000_000)
const ms = z.int().min(0).max(86_400_000)

export const faultShapes = {
  /**
   * No data, pings still answered. `sockets`: only those open now, a new connection is healthy. `venue`: every connection until
   * recover.
   */
  mute: z.object({
    market,
    scope: z.enum(['sockets', 'venue']).default('sockets'),
    forMs: ms.optional(),
    /** False, with `market`: unsent messages consume no sequence number either, so that a numbered feed shows no gap. */
    numbered: z.boolean().default(true),
    /** True: only changes are lost; whole books that are requested, or open a subscription, are still sent (polymarket: those after trades too). */
    changesOnly: z.boolean().default(false),
  }),
  /** Loses book deltas: the next `drop`, or the ones at these 1-based positions from now. */
  gap: z.object({ market, drop: count.optional(), positions: z.array(count).max(100_000).optional() }),
  /** Cuts every socket and refuses new ones (502) for `refuseMs`. */
  disconnect: z.object({ closeFrame: z.boolean().default(true), code: z.int().default(1001), refuseMs: ms.default(0) }),
  /** Answers HTTP with this status `count` times (until recover when absent), only under `path` when given. */
  http: z.object({
    status: z.int().min(400).max(599),
    count: count.optional(),
    retryAfterSeconds: z.int().min(0).optional(),
    path: z.string().optional(),
  }),
  /** Delays every answer, frame or both until recover. */
  slow: z.object({ delayMs: ms, where: z.enum(['http', 'ws', 'both']).default('both') }),
  /** Sends the next `count` deltas twice. */
  duplicate: z.object({ market, count: count.default(1) }),
  /** Swaps each of the next `count` deltas with the frame after it. */
  reorder: z.object({ market, count: count.default(1) }),
  /** Sends frames that violate the protocol to every socket. */
  garbage: z.object({ count: count.default(1) }),
  /** Reports that the subscription's buffer overflowed (kalshi error 25), at venues with such a message. */
  overflow: z.object({}),
  /** Keeps today's book and serves it as the next `count` snapshots, however old it is by then. */
  staleSnapshot: z.object({
    market: oneMarket,
    count: count.default(1),
    via: z.enum(['rest', 'ws', 'both']).optional(),
  }),
  /** Cuts the sockets and removes levels meanwhile: the next snapshot is smaller than what a client holds. */
  ghost: z.object({ market: oneMarket, refuseMs: ms.default(0) }),
  tickSize: z.object({ market: oneMarket, grid: z.enum(['cent', 'milli', 'tapered']) }),
  close: z.object({ market: oneMarket }),
  resolve: z.object({ market: oneMarket, result: z.enum(['yes', 'no']) }),
  /** From now on the venue denies that the market exists. `reply` is what a kalshi subscription gets. */
  unknownMarket: z.object({ market: oneMarket, reply: z.enum(['snapshot', 'error']).default('snapshot') }),
  /**
   * What happens to the next `count` orders placed. drop: accepted, then the connection is cut. vanish: cut, nothing accepted. late:
   * accepted, answered after `delayMs`. forget: accepted and answered, then unknown to the venue. reject: the venue's own refusal.
   */
  order: z.object({
    fault: z.enum(['drop', 'vanish', 'late', 'forget', 'reject']),
    count: count.default(1),
    delayMs: ms.default(0),
  }),
  /**
   * What private reads omit until recover, like lagging replicas: orders, or fills. ended: orders that ended and their fills, which are then
   * only in the history of a venue that has one (kalshi).
   */
  hide: z.object({ what: z.enum(['orders', 'fills', 'ended']) }),
  /** Status reported for every trade until recover, at venues that report one (polymarket). */
  tradeStatus: z.object({
    status: z.enum(['MATCHED_NOT_BROADCASTED', 'MATCHED', 'MINED', 'CONFIRMED', 'RETRYING', 'FAILED']),
  }),
  /** The market's price moves there at once, trade by trade, and stays around it. YES price, dollars. */
  move: z.object({ market: oneMarket, price: z.number().gt(0).lt(1) }),
  /** Extra flow on one market. */
  burst: z.object({ market: oneMarket, ratePerSecond: z.number().positive().max(50_000), durationMs: ms }),
} as const

export type FaultKind = keyof typeof faultShapes
export type FaultOptions<K extends FaultKind> = z.input<(typeof faultShapes)[K]>
export type FaultParsed<K extends FaultKind> = z.output<(typeof faultShapes)[K]>

const kinds = Object.keys(faultShapes) as FaultKind[]

/** `{venue, kind, …options}` as the control endpoint takes it. */
export const FaultRequest = z.looseObject({ venue: z.string(), kind: z.enum(kinds) })
