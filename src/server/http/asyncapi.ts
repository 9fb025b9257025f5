// AsyncAPI 3 for the stream: operations come from schemas/stream.ts, frames from schemas/streamFrames.ts, and their descriptions are here.
import { z } from 'zod'
import { ArbitrageRow } from '#schemas/arbitrage'
import { streamOnlyCodes } from '#schemas/errors'
import { OrderBook } from '#schemas/marketData'
import { PortfolioPosition, VenueTotals } from '#schemas/portfolio'
import {
  authDeadlineMs,
  ClientOp,
  channelOfOp,
  closeFlood,
  closeGoingAway,
  closeSlowConsumer,
  closeTooBig,
  closeUnauthorized,
  isStreamChannel,
  messageBytesMax,
  messageBytesMost,
} from '#schemas/stream'
import {
  AckFrame,
  ArbitrageFrame,
  AuthFrame,
  BookFrame,
  ErrorFrame,
  FeedErrorFrame,
  FeedTickerFrame,
  OrdersFrame,
  PendingAckFrame,
  PendingTradeFrame,
  PortfolioFrame,
  PriceFrame,
  ReplayFrame,
  StructuresFrame,
  TradeFrame,
} from '#schemas/streamFrames'
import { StructureRow } from '#schemas/structures'
import type { EnabledFeatures } from './enabledRoutes.ts'

/** The scope of this document: channels that are not served have neither operations nor frames in it. */
export type StreamServed = Pick<EnabledFeatures, 'channels' | 'pendingTrades'>

type Json = Record<string, unknown>

/** Shapes used in several frames, or long ones. */
const named = z.registry<{ id: string }>()
named.add(ArbitrageRow, { id: 'ArbitrageRow' })
named.add(StructureRow, { id: 'StructureRow' })
named.add(OrderBook.shape.bids, { id: 'Levels' })
named.add(PortfolioPosition, { id: 'PortfolioPosition' })
named.add(VenueTotals, { id: 'PortfolioVenueTotals' })

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): { schema: Json; parts: Json } {
  const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', metadata: named })
  const json = JSON.parse(JSON.stringify(made).replaceAll('#/$defs/', '#/components/schemas/')) as Json
  const { $schema: _, $defs, ...rest } = json
  return { schema: rest, parts: ($defs ?? {}) as Json }
}

const framesWith = ({ channels, pendingTrades }: StreamServed): Record<string, [z.ZodType, summary: string]> => ({
  subscribed: [
    pendingTrades === null ? AckFrame : PendingAckFrame,
    'Acknowledgement (subscribed or unsubscribed), before any cached snapshot or live frame',
  ],
  book: [BookFrame, 'A complete book, never a delta; under backpressure the latest book is sent again as a snapshot'],
  trade: [
    pendingTrades === null ? TradeFrame : z.union([TradeFrame, PendingTradeFrame]),
    pendingTrades === null
      ? 'One public trade; dropped, not buffered, under backpressure'
      : 'One public trade, or a fill that waits for its block and then its outcome; dropped, not buffered, under backpressure',
  ],
  feedTicker: [
    FeedTickerFrame,
    'A reference feed’s ticker: the current one after the acknowledgement, then every change; without a price if nothing proves one; dropped, not buffered, under backpressure',
  ],
  price: [
    PriceFrame,
    'Prices of the options of a pool: the current ones after the acknowledgement, then every reading that a log caused and every change without one; nothing while they cannot be read; dropped, not buffered, under backpressure',
  ],
  arbitrage: [
    ArbitrageFrame,
    'The arbitrage surface: a snapshot after the acknowledgement and every heartbeat, a delta each intervalMs (0: whenever something changed, and with each full pass), empty when nothing did; all parts of one frame share its seq; dropped, not buffered, and repaired by a snapshot',
  ],
  structures: [
    StructuresFrame,
    'Legs of several markets that cannot all lose (subscribeStructures): a snapshot after the acknowledgement, then a delta whenever some change, at most twice a second if only their times do; all parts of one frame share its seq; dropped, not buffered, and repaired by a snapshot',
  ],
  orders: [
    OrdersFrame,
    'Changes to the orders of the key’s own account (subscribeOrders; scope trade): after the acknowledgement a snapshot of what is in flight, in parts, then every status change and every fill; a socket that is too slow, or may have missed something, gets a new snapshot that says so',
  ],
  portfolio: [
    PortfolioFrame,
    'Positions of the key’s own account and totals by venue and currency (subscribePortfolio; scope trade): after the acknowledgement a snapshot, in parts, then what changed: about a second after a fill, a redemption or an import, every 30 s for marks and settlements; a socket that is too slow gets a new snapshot, with the reason',
  ],
  replay: [
    ReplayFrame,
    'The tape played back (subscribeReplay): books (full depth where it is taped, otherwise one level a side) and trades of several markets in time order, periods that the tape may lack (replayGap), and progress: replayPaused, replayResumed, finally replayEnd; held back, not dropped, while the socket is behind',
  ],
  error: [
    channels.includes('feedTicker') ? FeedErrorFrame : ErrorFrame,
    `Non-fatal refusal with the caller's fields echoed; codes used on the stream only: ${streamOnlyCodes.join(', ')}`,
  ],
  auth: [AuthFrame, 'Answer to a first-frame auth'],
})

const isServed = (channel: string | undefined, { channels }: StreamServed): boolean =>
  !isStreamChannel(channel) || channels.includes(channel)

/** Frames of a channel are named after it. */
function framesOf(served: StreamServed): { messages: Json; schemas: Json } {
  const messages: Json = {}
  const schemas: Json = {}
  for (const [name, [frame, summary]] of Object.entries(framesWith(served))) {
    if (!isServed(name, served)) continue
    const { schema, parts } = schemaOf(frame, 'output')
    messages[name] = { name, summary, contentType: 'application/json', payload: schema }
    Object.assign(schemas, parts)
  }
  return { messages, schemas }
}

function operationsOf(served: StreamServed): Json {
  const servedOps = ClientOp.options.filter(({ shape: { op } }) => {
    const [name] = op instanceof z.ZodEnum ? op.options : op.values
    return isServed(channelOfOp(name!), served)
  })
  return { oneOf: servedOps.map((option) => withoutPending(schemaOf(option, 'input').schema, served)) }
}

/** The only filter selects trades that wait for their block. */
function withoutPending(operation: Json, { pendingTrades }: StreamServed): Json {
  if (pendingTrades !== null) return operation
  const { filters: _, ...properties } = operation.properties as Record<string, unknown>
  return { ...operation, properties }
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'On the upgrade; or the first frame is auth' },
}
const security = [{ $ref: '#/components/securitySchemes/bearer' }]

export function buildAsyncApi(version: string, served: StreamServed): Record<string, unknown> {
  const { messages: frames, schemas } = framesOf(served)
  const messages = {
    clientOp: { name: 'clientOp', contentType: 'application/json', payload: operationsOf(served) },
    ...frames,
  }
  const names = Object.keys(frames)
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Crossbook stream',
      version,
      description:
        `Bearer header on upgrade, or {"op":"auth","apiKey":…} as the first frame within ${authDeadlineMs / 1000} s; never a key in the address. ` +
        `Close codes: ${closeUnauthorized} authentication, ${closeSlowConsumer} slow reader, ${closeFlood} flood, ${closeGoingAway} server stopping, ${closeTooBig} a message above ${messageBytesMost} bytes (one above ${messageBytesMax} is answered with BAD_MESSAGE, and the socket stays open). ` +
        'Unknown fields are answered with BAD_MESSAGE and the nearest known name; auth accepts them. ' +
        'Frames that break the protocol, text that is not UTF-8 and messages above a megabyte end the connection without a close frame (clients see 1006). ' +
        'WebSocket version 13 only (426 otherwise), no subprotocol, no compression.',
    },
    defaultContentType: 'application/json',
    channels: {
      stream: {
        address: '/v1/stream',
        messages: Object.fromEntries(
          Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: {
      send: {
        action: 'receive',
        channel: { $ref: '#/channels/stream' },
        security,
        messages: [{ $ref: '#/channels/stream/messages/clientOp' }],
      },
      frames: {
        action: 'send',
        channel: { $ref: '#/channels/stream' },
        security,
        messages: names.map((name) => ({ $ref: `#/channels/stream/messages/${name}` })),
      },
    },
    components: { messages, schemas, securitySchemes },
  }
}
