// Commands to the socket and its answers: subscriptions, acknowledgements, refusals. Nothing here touches a book.
import { Commands, lifecycleChannel, type MarketChannel, marketChannels, type SentCommand } from './commands.ts'
import { errorCodes } from './enumMaps.ts'
import { noSid, type Watched, watched } from './marketState.ts'

/** What an error frame means for the connection. */
export type Refusal =
  | { kind: 'ignored' }
  | { kind: 'noted'; reason: string }
  | { kind: 'market'; ticker: string }
  | { kind: 'failed'; reason: string }

const bookChannel: MarketChannel = 'orderbook_delta'
/** Channels whose sequence numbers we do not track. */
const unsequenced: readonly (MarketChannel | typeof lifecycleChannel)[] = ['trade', 'ticker', lifecycleChannel]

export class SubscriptionManager {
  private readonly books: Map<string, Watched>
  private readonly commands: Commands
  /** Acknowledged sids by channel, in the order they came. */
  private readonly sids = new Map<string, number[]>()
  private lifecycleRequested = false

  /** `books`: shared with the session. */
  constructor(books: Map<string, Watched>, yesPrice: boolean) {
    this.books = books
    this.commands = new Commands(yesPrice)
  }

  subscribe(tickers: readonly string[]): string[] {
    const fresh = [...new Set(tickers)].filter((ticker) => !this.books.has(ticker))
    if (fresh.length === 0) return []
    for (const ticker of fresh) this.books.set(ticker, watched(ticker))
    const texts = this.ask(fresh)
    if (!this.lifecycleRequested) {
      this.lifecycleRequested = true
      texts.push(this.commands.lifecycle())
    }
    return texts
  }

  /** Before the first acknowledgement there is no sid to name: the venue keeps sending, and its frames are ignored. */
  unsubscribe(tickers: readonly string[]): string[] {
    const gone = tickers.filter((ticker) => this.books.delete(ticker))
    if (gone.length === 0) return []
    return marketChannels.flatMap((channel) =>
      (this.sids.get(channel) ?? []).map((sid) => this.commands.update('delete', sid, gone)),
    )
  }

  /** One request for every unsafe book of the sid: the sequence is shared, so a gap makes all of them unsafe. */
  resync(book: Watched): string[] {
    if (book.covered) {
      book.covered = false
      return []
    }
    const sid = book.sid === noSid ? (this.sids.get(bookChannel)?.[0] ?? noSid) : book.sid
    // A market the venue never accepted has no subscription that a snapshot could belong to.
    const isResubscribing = !book.isRequested || sid === noSid
    const tickers = [book.ticker]
    for (const other of this.books.values()) {
      if (other === book || other.live || other.covered || book.alone || other.alone) continue
      if (isResubscribing ? other.isRequested : !other.isRequested || (other.sid !== sid && other.sid !== noSid))
        continue
      other.covered = true
      other.isRequested = true
      tickers.push(other.ticker)
    }
    book.isRequested = true
    return isResubscribing ? this.ask(tickers) : [this.commands.update('snapshot', sid, tickers)]
  }

  /** Snapshots of live books: one request per sid. */
  confirm(books: readonly Watched[]): string[] {
    const bySid = new Map<number, string[]>()
    for (const book of books) {
      if (!book.live || book.sid === noSid) continue
      book.confirming = true
      bySid.set(book.sid, [...(bySid.get(book.sid) ?? []), book.ticker])
    }
    return [...bySid].map(([sid, tickers]) => this.commands.update('snapshot', sid, tickers))
  }

  acknowledged(channel: string, sid: number): void {
    const sids = this.sids.get(channel) ?? []
    if (!sids.includes(sid)) this.sids.set(channel, [...sids, sid])
  }

  /** A frame of books on this sid. Its acknowledgement may have been lost: without a sid no snapshot could ever be requested. */
  learnSid(sid: number): void {
    if (!this.sids.has(bookChannel)) this.sids.set(bookChannel, [sid])
  }

  /** False for sids of channels whose sequence numbers we do not track. */
  isSequenced(sid: number): boolean {
    return !unsequenced.some((channel) => this.sids.get(channel)?.includes(sid))
  }

  refusal(commandId: number | null, code: number | null, text: string, ticker: string | null): Refusal {
    const command = this.commands.find(commandId)
    switch (code) {
      case errorCodes.alreadySubscribed:
        return { kind: 'ignored' }
      case errorCodes.marketNotFound:
        return this.unknownMarket(command, ticker)
      case errorCodes.authRequired:
        return { kind: 'failed', reason: 'auth' }
      case errorCodes.bufferOverflow:
        return { kind: 'failed', reason: 'overflow' }
      default:
        // An error about unwanted markets is not worth a reconnect.
        return command?.kind === 'delete'
          ? { kind: 'noted', reason: `error ${code} to delete_markets` }
          : { kind: 'failed', reason: `error ${code}: ${text.slice(0, 120)}` }
    }
  }

  /**
   * One unknown market may have voided its whole command: its other markets are requested again when ingest misses them.
   */
  private unknownMarket(command: SentCommand | undefined, ticker: string | null): Refusal {
    const carried = command?.kind === 'subscribe' || command?.kind === 'add' ? command.tickers : []
    const unknown = ticker ?? (command?.tickers.length === 1 ? command.tickers[0] : undefined)
    for (const other of carried) {
      const book = this.books.get(other)
      if (book === undefined || book.sid !== noSid || other === unknown) continue
      book.isRequested = false
      book.alone = unknown === undefined
    }
    if (unknown === undefined) return { kind: 'noted', reason: 'error 16 names no market' }
    return this.books.delete(unknown) ? { kind: 'market', ticker: unknown } : { kind: 'ignored' }
  }

  /** Adds to existing subscriptions, otherwise subscribes. */
  private ask(tickers: readonly string[]): string[] {
    const sids = marketChannels.map((channel) => this.sids.get(channel)?.[0])
    if (sids.every((sid) => sid !== undefined)) return sids.map((sid) => this.commands.update('add', sid, tickers))
    return [this.commands.subscribe(tickers)]
  }
}
