// Subscriptions by market and by socket. A topic lives exactly as long as it has a reader.
import { everyMarket } from '#schemas/topics'
import type { BookReader, MarketChannel } from './ports.ts'
import { BookTopic, type Connection, type Subscription, type Topic, type TopicRef, TradeTopic } from './topic.ts'

/** Called per named market and channel to adjust the demand. */
export interface Watch {
  add(venue: string, marketId: string): void
  remove(venue: string, marketId: string): void
}

const noConnections: ReadonlySet<Connection> = new Set()

export class TopicIndex {
  private readonly bookReader: BookReader
  private readonly watch: Watch
  private readonly books = new Map<string, Map<string, BookTopic>>()
  private readonly trades = new Map<string, Map<string, TradeTopic>>()
  /**
   * Views of a book (other names, other sides, truncated depth), by venue and book, then by requested name and depth.
   */
  private readonly bookViews = new Map<string, Map<string, Map<string, BookTopic>>>()
  private readonly tradeViews = new Map<string, Map<string, Map<string, TradeTopic>>>()
  private readonly bySocket = new Map<Connection, Map<Topic, Subscription>>()
  private readonly wide = new Map<string, Set<Connection>>()
  size = 0

  constructor(bookReader: BookReader, watch: Watch) {
    this.bookReader = bookReader
    this.watch = watch
  }

  book(venue: string, marketId: string): BookTopic | undefined {
    return this.books.get(venue)?.get(marketId)
  }

  trade(venue: string, marketId: string): TradeTopic | undefined {
    return this.trades.get(venue)?.get(marketId)
  }

  viewsOf(channel: 'orderbook', venue: string, bookId: string): Iterable<BookTopic>
  viewsOf(channel: 'trades', venue: string, bookId: string): Iterable<TradeTopic>
  viewsOf(channel: MarketChannel, venue: string, bookId: string): Iterable<Topic> {
    const views = channel === 'orderbook' ? this.bookViews : this.tradeViews
    return views.get(venue)?.get(bookId)?.values() ?? []
  }

  /** Returns the topic, creating it on first use: a new book topic starts from the book this process holds. */
  open(channel: MarketChannel, venue: string, marketId: string, ref: TopicRef): Topic {
    const found = this.known(channel, venue, marketId, ref)
    if (found !== undefined) {
      // The catalog may have learned its name since.
      if (found.channel === 'trades') found.outcome ??= ref.outcome
      return found
    }
    if (channel === 'trades') return this.create('trades', venue, marketId, ref)
    const topic = this.create('orderbook', venue, marketId, ref)
    const held = this.bookReader.get(venue, ref.bookId)
    if (held !== undefined) topic.accept(held)
    return topic
  }

  create(channel: 'orderbook', venue: string, marketId: string, ref?: TopicRef): BookTopic
  create(channel: 'trades', venue: string, marketId: string, ref?: TopicRef): TradeTopic
  create(channel: MarketChannel, venue: string, marketId: string, ref?: TopicRef): Topic {
    this.size++
    const own = ref ?? { bookId: marketId, complement: false }
    if (channel === 'orderbook') {
      const topic = new BookTopic(venue, marketId, own)
      if (topic.isView) put(placeOf(this.bookViews, venue), own.bookId, viewName(marketId, own.depth), topic)
      else put(this.books, venue, marketId, topic)
      return topic
    }
    const topic = new TradeTopic(venue, marketId, own)
    if (topic.isView) put(placeOf(this.tradeViews, venue), own.bookId, viewName(marketId), topic)
    else put(this.trades, venue, marketId, topic)
    return topic
  }

  private known(channel: MarketChannel, venue: string, marketId: string, ref: TopicRef): Topic | undefined {
    if (!ref.complement && ref.depth === undefined && ref.bookId === marketId)
      return channel === 'orderbook' ? this.book(venue, marketId) : this.trade(venue, marketId)
    const views = channel === 'orderbook' ? this.bookViews : this.tradeViews
    return views.get(venue)?.get(ref.bookId)?.get(viewName(marketId, ref.depth))
  }

  find(topic: Topic, member: Connection): Subscription | undefined {
    return this.bySocket.get(member)?.get(topic)
  }

  link(topic: Topic, member: Connection, subscription: Subscription): void {
    member.subscriptions.add(subscription)
    let topics = this.bySocket.get(member)
    if (topics === undefined) {
      topics = new Map()
      this.bySocket.set(member, topics)
    }
    topics.set(topic, subscription)
  }

  unlink(subscription: Subscription): void {
    const { topic, member } = subscription
    topic.remove(subscription)
    member.subscriptions.delete(subscription)
    const topics = this.bySocket.get(member)
    topics?.delete(topic)
    if (topics?.size === 0) this.bySocket.delete(member)
    if (topic.subscriptions.length > 0) return
    this.size--
    const { channel, venue, bookId, marketId } = topic
    if (!topic.isView) {
      take<Topic>(channel === 'orderbook' ? this.books : this.trades, venue, marketId)
      return
    }
    const views: Map<string, Map<string, Map<string, Topic>>> = channel === 'orderbook'
      ? this.bookViews
      : this.tradeViews
    const books = views.get(venue)
    if (books === undefined) return
    take(books, bookId, viewName(marketId, topic.depth ?? undefined))
    if (books.size === 0) views.delete(venue)
  }

  /** Adds or removes one reader that requested this market by name. */
  named(topic: Topic, by: 1 | -1): void {
    topic.explicitCount += by
    if (by === 1 && topic.explicitCount === 1) this.watch.add(topic.venue, topic.bookId)
    if (by === -1 && topic.explicitCount === 0) this.watch.remove(topic.venue, topic.bookId)
  }

  joinVenue(member: Connection, venue: string): void {
    let members = this.wide.get(venue)
    if (members === undefined) {
      members = new Set()
      this.wide.set(venue, members)
      this.watch.add(venue, everyMarket)
    }
    members.add(member)
  }

  leaveVenue(member: Connection, venue: string): void {
    const members = this.wide.get(venue)
    if (members === undefined || !members.delete(member) || members.size > 0) return
    this.wide.delete(venue)
    this.watch.remove(venue, everyMarket)
  }

  leaveAll(member: Connection): void {
    for (const venue of [...this.wide.keys()]) this.leaveVenue(member, venue)
  }

  /** Sockets subscribed to every book of the venue. */
  membersOf(channel: MarketChannel, venue: string): ReadonlySet<Connection> {
    return channel === 'orderbook' ? (this.wide.get(venue) ?? noConnections) : noConnections
  }

  booksOf(venue: string): BookTopic[] {
    return [...(this.books.get(venue)?.values() ?? [])]
  }
}

/** Safe: an id contains no line break. */
const viewName = (marketId: string, depth?: number): string =>
  depth === undefined ? marketId : `${marketId}\n${depth}`

function placeOf<T>(venues: Map<string, Map<string, T>>, venue: string): Map<string, T> {
  let place = venues.get(venue)
  if (place === undefined) {
    place = new Map()
    venues.set(venue, place)
  }
  return place
}

function put<T>(venues: Map<string, Map<string, T>>, venue: string, marketId: string, topic: T): void {
  placeOf(venues, venue).set(marketId, topic)
}

function take<T>(venues: Map<string, Map<string, T>>, venue: string, marketId: string): void {
  const markets = venues.get(venue)
  markets?.delete(marketId)
  if (markets?.size === 0) venues.delete(venue)
}
