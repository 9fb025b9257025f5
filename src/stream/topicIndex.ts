// Who reads what: market to sockets and back. A topic lives exactly as long as somebody reads it.
import type { Member } from './member.ts'
import type { BookReader, MarketChannel } from './ports.ts'
import { BookTopic, type Subscription, type Topic, TradeTopic } from './topic.ts'

/** Counted per named market and channel: the demand's two hands. */
export interface Watch {
  add(venue: string, marketId: string): void
  remove(venue: string, marketId: string): void
}

/** What a venue-wide subscription asks for upstream. */
export const everyMarket = '*'

const nobody: ReadonlySet<Member> = new Set()

export class TopicIndex {
  private readonly bookReader: BookReader
  private readonly watch: Watch
  private readonly books = new Map<string, Map<string, BookTopic>>()
  private readonly trades = new Map<string, Map<string, TradeTopic>>()
  private readonly bySocket = new Map<Member, Map<Topic, Subscription>>()
  private readonly wide = new Map<string, Set<Member>>()
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

  /** The topic, made when it is the first time: a new book topic starts from the book this process holds. */
  open(channel: MarketChannel, venue: string, marketId: string, now: number): Topic {
    const found = channel === 'orderbook' ? this.book(venue, marketId) : this.trade(venue, marketId)
    if (found !== undefined) return found
    if (channel === 'trades') return this.create('trades', venue, marketId)
    const topic = this.create('orderbook', venue, marketId)
    const held = this.bookReader.get(venue, marketId)
    if (held !== undefined) topic.accept(held, now)
    return topic
  }

  create(channel: 'orderbook', venue: string, marketId: string): BookTopic
  create(channel: 'trades', venue: string, marketId: string): TradeTopic
  create(channel: MarketChannel, venue: string, marketId: string): Topic {
    this.size++
    if (channel === 'orderbook') return put(this.books, venue, marketId, new BookTopic(venue, marketId))
    return put(this.trades, venue, marketId, new TradeTopic(venue, marketId))
  }

  find(topic: Topic, member: Member): Subscription | undefined {
    return this.bySocket.get(member)?.get(topic)
  }

  link(topic: Topic, member: Member, subscription: Subscription): void {
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
    const venues: Map<string, Map<string, Topic>> = topic.channel === 'orderbook' ? this.books : this.trades
    const markets = venues.get(topic.venue)
    markets?.delete(topic.marketId)
    if (markets?.size === 0) venues.delete(topic.venue)
  }

  /** One more or one less reader that asked for this market by name. */
  named(topic: Topic, by: 1 | -1): void {
    topic.explicitCount += by
    if (by === 1 && topic.explicitCount === 1) this.watch.add(topic.venue, topic.marketId)
    if (by === -1 && topic.explicitCount === 0) this.watch.remove(topic.venue, topic.marketId)
  }

  joinVenue(member: Member, venue: string): void {
    let members = this.wide.get(venue)
    if (members === undefined) {
      members = new Set()
      this.wide.set(venue, members)
      this.watch.add(venue, everyMarket)
    }
    members.add(member)
  }

  leaveVenue(member: Member, venue: string): void {
    const members = this.wide.get(venue)
    if (members === undefined || !members.delete(member) || members.size > 0) return
    this.wide.delete(venue)
    this.watch.remove(venue, everyMarket)
  }

  leaveAll(member: Member): void {
    for (const venue of [...this.wide.keys()]) this.leaveVenue(member, venue)
  }

  /** Sockets that read every book of the venue. */
  membersOf(channel: MarketChannel, venue: string): ReadonlySet<Member> {
    return channel === 'orderbook' ? (this.wide.get(venue) ?? nobody) : nobody
  }

  booksOf(venue: string): BookTopic[] {
    return [...(this.books.get(venue)?.values() ?? [])]
  }
}

function put<T>(venues: Map<string, Map<string, T>>, venue: string, marketId: string, topic: T): T {
  let markets = venues.get(venue)
  if (markets === undefined) {
    markets = new Map()
    venues.set(venue, markets)
  }
  markets.set(marketId, topic)
  return topic
}
