// Frames that a socket receives, as described in the program's AsyncAPI document.
import type {
  AckFrame,
  ArbitrageFrame,
  AuthFrame,
  BookFrame,
  ErrorFrame,
  FeedTickerFrame,
  OrdersFrame,
  PortfolioFrame,
  PriceFrame,
  ReplayFrame,
  StructuresFrame,
  TradeFrame,
} from '../generated/frames.ts'

export type {
  AckFrame,
  ArbitrageFrame,
  ArbitrageRow,
  BookFrame,
  ClientOp,
  ErrorFrame,
  FeedTickerFrame,
  OrdersFrame,
  PortfolioFrame,
  PriceFrame,
  ReplayFrame,
  StructureRow,
  StructuresFrame,
  TradeFrame,
} from '../generated/frames.ts'

export type ServerFrame =
  | AuthFrame
  | AckFrame
  | BookFrame
  | TradeFrame
  | FeedTickerFrame
  | PriceFrame
  | ArbitrageFrame
  | StructuresFrame
  | OrdersFrame
  | PortfolioFrame
  | ReplayFrame
  | ErrorFrame

/** Both sides, best first. */
export type Book = BookFrame['data']

/** The subject of a frame. A later service may send types that are unknown here: they are ignored. */
interface Named {
  type: string
  channel?: string
  venue?: string
  marketId?: string
  feed?: string
  symbol?: string
  replay?: true
}

export const keyOfMarket = (channel: string, venue: string, marketId: string): string =>
  JSON.stringify([channel, venue, marketId])

/** Keys of the books and trades that were seen, by channel, venue and market: they are needed for every frame. */
const frameKeys = {
  orderbook: new Map<string, Map<string, string[]>>(),
  trades: new Map<string, Map<string, string[]>>(),
}
/** Per venue. */
const frameKeysMax = 10_000

function keysOfFrame(channel: 'orderbook' | 'trades', venue: string, marketId: string): string[] {
  const ofChannel = frameKeys[channel]
  let ofVenue = ofChannel.get(venue)
  if (ofVenue === undefined) {
    ofVenue = new Map()
    ofChannel.set(venue, ofVenue)
  }
  const known = ofVenue.get(marketId)
  if (known !== undefined) return known
  const key = keyOfMarket(channel, venue, marketId)
  const keys = channel === 'orderbook' ? [key, keyOfVenue(venue)] : [key]
  if (ofVenue.size >= frameKeysMax) ofVenue.clear()
  ofVenue.set(marketId, keys)
  return keys
}
export const keyOfVenue = (venue: string): string => JSON.stringify(['orderbook:all', venue])
export const feedKey = (feed: string, symbol: string): string => JSON.stringify(['feedTicker', feed, symbol])

/** The keys of the subscriptions that a frame may belong to. */
export function keysOf(frame: Named): string[] {
  const { type, channel, venue = '', marketId } = frame
  if (frame.replay === true) return ['replay']
  switch (type) {
    case 'snapshot':
    case 'update':
      return keysOfFrame('orderbook', venue, marketId!)
    case 'trade':
      return keysOfFrame('trades', venue, marketId!)
    case 'feedTicker':
      return [feedKey(frame.feed!, frame.symbol!)]
    case 'price':
      return [keyOfMarket('price', venue, marketId!)]
    case 'subscribed':
    case 'unsubscribed':
    case 'error':
      return channel === undefined ? [] : keysOfChannel(channel, frame)
    default:
      return [type]
  }
}

function keysOfChannel(channel: string, { venue = '', marketId, feed, symbol }: Named): string[] {
  if (channel === 'feedTicker') return feed === undefined ? [] : [feedKey(feed, symbol ?? '')]
  if (channel === 'orderbook:all') return [keyOfVenue(venue)]
  if (marketId !== undefined) {
    const key = keyOfMarket(channel, venue, marketId)
    return channel === 'orderbook' ? [key, keyOfVenue(venue)] : [key]
  }
  // An error about a whole venue names its channel as one about a market would.
  return channel === 'orderbook' ? [keyOfVenue(venue)] : [channel]
}
