// AsyncAPI 3 for the stream: the client operations come from schemas/stream.ts, the frames are described in words and fields.
import { z } from 'zod'
import { ArbitrageRow } from '#schemas/arbitrage'
import { streamOnlyCodes } from '#schemas/errors'
import { FeedTickerData } from '#schemas/feeds'
import { OrderBook } from '#schemas/marketData'
import { OptionPriceData } from '#schemas/optionPrices'
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
  OrdersData,
} from '#schemas/stream'
import { StructureRow } from '#schemas/structures'
import type { Served } from './served.ts'

/** What this document tells of: channels that are not served have neither operations nor frames in it. */
export type StreamServed = Pick<Served, 'channels' | 'pendingTrades'>

const text = { type: 'string' }
const number = { type: 'number' }
const nullable = (type: string) => ({ type: [type, 'null'] })
const frame = (name: string, properties: Record<string, unknown>, summary: string) => ({
  name,
  summary,
  contentType: 'application/json',
  payload: { type: 'object', required: ['type'], properties: { type: { type: 'string' }, ...properties } },
})

const provenances = (pendingTrades: string | null): string[] => [
  'chain-scan',
  ...(pendingTrades === null ? [] : ['mempool']),
]

/** Of trades that are told before their block. */
const pendingFields = {
  status: {
    enum: ['pending', 'confirmed', 'dropped'],
    description:
      'With provenance mempool, as the next three: told when the fill is seen, and once more under the same data.id',
  },
  seenAt: { type: 'string', format: 'date-time' },
  blockNumber: { type: 'integer', description: 'Of confirmed' },
  dropReason: { enum: ['timeout', 'reverted'], description: 'Of dropped' },
}

function schemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Record<
    string,
    unknown
  >
  return rest
}

const allFrames = ({ channels, pendingTrades }: StreamServed) => ({
  subscribed: frame(
    'subscribed',
    {
      channel: text,
      venue: text,
      marketId: text,
      ...(pendingTrades !== null && {
        status: { enum: ['pending', 'all'], description: 'Of trades that were asked for with such filters' },
      }),
      disclosure: {
        type: 'object',
        description:
          'With trades that are not the venue’s own tape: where they come from, how late (chain-scan) or how long before their block (mempool), what is among them',
        properties: {
          provenance: { enum: provenances(pendingTrades) },
          latencyMs: nullable('number'),
          completeness: text,
        },
      },
    },
    'Acknowledgement (subscribed or unsubscribed), before any cached snapshot or live frame',
  ),
  book: frame(
    'book',
    {
      type: { enum: ['snapshot', 'update'] },
      venue: text,
      marketId: text,
      ts: number,
      data: schemaOf(OrderBook.pick({ bids: true, asks: true, timestamp: true })),
    },
    'A complete book, never a delta; under backpressure the latest book is sent again as a snapshot',
  ),
  trade: frame(
    'trade',
    {
      type: { const: 'trade' },
      venue: text,
      marketId: text,
      provenance: {
        enum: provenances(pendingTrades),
        description: 'Read off a chain, or seen before its block; absent: the venue’s own tape',
      },
      ...(pendingTrades !== null && pendingFields),
      ts: number,
      data: {
        type: 'object',
        properties: {
          id: text,
          time: text,
          timestamp: number,
          type: { enum: ['Buy', 'Sell', 'Unknown'] },
          usd: nullable('number'),
          outcome: nullable('string'),
          outcomeIndex: nullable('integer'),
          shares: number,
          price: nullable('number'),
          maker: nullable('string'),
          transactionHash: nullable('string'),
          wallet: nullable('string'),
          counterparty: nullable('string'),
        },
      },
    },
    'One public trade, or what a fill that waits for its block is and becomes; dropped, not buffered, under backpressure',
  ),
  feedTicker: frame(
    'feedTicker',
    { type: { const: 'feedTicker' }, feed: text, symbol: text, ts: number, data: schemaOf(FeedTickerData) },
    'A reference feed’s ticker: what is known after the acknowledgement, then every change; without a price where nothing proves one; dropped, not buffered, under backpressure',
  ),
  price: frame(
    'price',
    {
      type: { const: 'price' },
      ...{ venue: text, marketId: text, marketAddress: text },
      ts: number,
      data: schemaOf(OptionPriceData),
    },
    'What the options of a pool cost: what is known after the acknowledgement, then every reading that a log caused, and every change that none did; nothing while it cannot be read; dropped, not buffered, under backpressure',
  ),
  arbitrage: frame(
    'arbitrage',
    {
      type: { const: 'arbitrage' },
      ts: number,
      data: {
        type: 'object',
        properties: {
          exchange: { const: 'router' },
          kind: { enum: ['snapshot', 'delta'] },
          seq: { type: 'integer' },
          computedAt: text,
          publishedAt: text,
          intervalMs: number,
          heartbeatMs: number,
          contracts: number,
          limit: number,
          part: { type: 'object', properties: { i: number, n: number } },
          rows: { type: 'array', items: schemaOf(ArbitrageRow) },
          upserts: { type: 'array', items: { description: 'as rows' } },
          removes: { type: 'array', items: text },
        },
      },
    },
    'The arbitrage surface: a snapshot after the acknowledgement and every heartbeat, a delta each intervalMs (0: whenever something changed, and with each full pass), empty when nothing did; all parts of one frame share its seq; dropped, not buffered, and repaired by a snapshot',
  ),
  structures: frame(
    'structures',
    {
      type: { const: 'structures' },
      ts: number,
      data: {
        type: 'object',
        properties: {
          exchange: { const: 'router' },
          kind: { enum: ['snapshot', 'delta'] },
          seq: { type: 'integer' },
          computedAt: text,
          publishedAt: text,
          part: { type: 'object', properties: { i: number, n: number } },
          rows: { type: 'array', items: schemaOf(StructureRow) },
          upserts: { type: 'array', items: { description: 'as rows' } },
          removes: { type: 'array', items: text },
        },
      },
    },
    'Legs of several markets that cannot all lose (subscribeStructures): a snapshot after the acknowledgement, then a delta whenever some changed, their times alone twice a second; all parts of one frame share its seq; dropped, not buffered, and repaired by a snapshot',
  ),
  orders: frame(
    'orders',
    { type: { const: 'orders' }, ts: number, data: schemaOf(OrdersData) },
    'What becomes of the orders of the key’s own account (subscribeOrders; scope trade): after the acknowledgement a snapshot of what is in flight, in parts, then every change of a status and every fill; a socket that is too slow, or may have missed something, is sent a new snapshot that says so',
  ),
  error: frame(
    'error',
    {
      type: { const: 'error' },
      ...{ code: text, message: text, venue: text, marketId: text, channel: text },
      ...(channels.includes('feedTicker') && { feed: text, symbol: text }),
    },
    `Non-fatal refusal with the caller's fields echoed; codes of the stream alone: ${streamOnlyCodes.join(', ')}`,
  ),
  auth: frame('auth', { type: { const: 'auth' }, status: { const: 'ok' } }, 'Answer to a first-frame auth'),
})

const isServed = (channel: string | undefined, { channels }: StreamServed): boolean =>
  !isStreamChannel(channel) || channels.includes(channel)

/** Frames of a channel are named for it. */
const framesOf = (served: StreamServed): Record<string, unknown> =>
  Object.fromEntries(Object.entries(allFrames(served)).filter(([name]) => isServed(name, served)))

function operationsOf(served: StreamServed): Record<string, unknown> {
  const told = ClientOp.options.filter(({ shape: { op } }) => {
    const [name] = op instanceof z.ZodEnum ? op.options : op.values
    return isServed(channelOfOp(name!), served)
  })
  return { oneOf: told.map((option) => withoutPending(schemaOf(option), served)) }
}

/** The only filter there is picks trades that wait for their block. */
function withoutPending(operation: Record<string, unknown>, { pendingTrades }: StreamServed): Record<string, unknown> {
  if (pendingTrades !== null) return operation
  const { filters: _, ...properties } = operation.properties as Record<string, unknown>
  return { ...operation, properties }
}

export function buildAsyncApi(version: string, served: StreamServed): Record<string, unknown> {
  const frames = framesOf(served)
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
        `Close codes: ${closeUnauthorized} authentication, ${closeSlowConsumer} slow reader, ${closeFlood} flood, ${closeGoingAway} server stopping, ${closeTooBig} a message above ${messageBytesMost} bytes (one above ${messageBytesMax} is answered BAD_MESSAGE, and the socket stays). ` +
        'Fields that an operation does not have are answered BAD_MESSAGE with the nearest it has; auth takes them. ' +
        'Frames that break the protocol, text that is no UTF-8 and messages above a megabyte end the connection without a close frame (clients see 1006). ' +
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
        messages: [{ $ref: '#/channels/stream/messages/clientOp' }],
      },
      frames: {
        action: 'send',
        channel: { $ref: '#/channels/stream' },
        messages: names.map((name) => ({ $ref: `#/channels/stream/messages/${name}` })),
      },
    },
    components: { messages },
  }
}
