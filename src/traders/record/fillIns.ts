// Takes wallets that somebody asked about into the record: what their venues tell of them is read once, in the background, and written down whole or not at
// all (decision 50). A few at a time, some more wait, and the rest is refused: whoever asks again later is heard again.
import { randomInt, randomUUID } from 'node:crypto'
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import type { TraderTrade } from '#schemas/traders'
import type { TapeStore } from '#storage/clickhouse/client'
import { insertTold } from '#storage/clickhouse/toldInsert'
import { isInFeed, type TradersPlace } from '#venues/traders'
import type { TraderVenue } from '../ports.ts'
import { SharedReads } from '../sharedReads.ts'
import type { RecordCatalog, TradePlace } from './ports.ts'
import { type Reading, toldOf } from './told.ts'

const readingsAtOnce = 2
export const waitingMax = 100
/** However many are asked about: each may bring a thousand rows. */
export const walletsPerHour = 120
const hourMs = 3_600_000
/** A wallet is not read more often than this, whatever came of it. */
export const againMs = 60_000
const rememberedMax = 10_000
const rowsPerPage = 100
export const pagesMax = 10
/** For all pages of a wallet. */
const readingMs = 120_000
/** Outcomes that the catalog is asked for at once. */
const placesAtOnce = 50

export interface FillInsOptions {
  /** By slug, within the part of each venue's budget that this may take. */
  venues: ReadonlyMap<string, TraderVenue>
  store: Pick<TapeStore, 'insert'>
  catalog: Pick<RecordCatalog, 'findPlace'>
  clock: Clock
  log: Log
}

interface Wanted {
  venue: TraderVenue
  wallet: string
}

export class FillIns {
  /** Waiting and under way, in the order in which they came. */
  private readonly wanted = new Map<string, Wanted>()
  private readonly running = new Map<string, Promise<void>>()
  /** When a wallet was last read, on the monotonic clock; oldest first. */
  private readonly readAt = new Map<string, number>()
  private readonly reads: SharedReads
  private readonly ending = new AbortController()
  private failures = 0
  /** Taken since then, on the monotonic clock. */
  private hour = { since: Number.NEGATIVE_INFINITY, taken: 0 }
  private readonly options: FillInsOptions

  constructor(options: FillInsOptions) {
    this.options = options
    this.reads = new SharedReads(options.clock)
  }

  /** Whether it is, or will be, read. Returns at once. */
  take(slug: string, wallet: string): boolean {
    const venue = this.options.venues.get(slug)
    if (venue === undefined || !isReadable(venue) || this.ending.signal.aborted) return false
    const key = `${slug} ${wallet}`
    if (this.wanted.has(key)) return true
    const now = this.options.clock.monotonic()
    const readAt = this.readAt.get(key) ?? Number.NEGATIVE_INFINITY
    if (now - readAt < againMs || this.wanted.size >= waitingMax) return false
    if (now - this.hour.since >= hourMs) this.hour = { since: now, taken: 0 }
    if (this.hour.taken >= walletsPerHour) return false
    this.hour.taken++
    this.wanted.set(key, { venue, wallet })
    this.pump()
    return true
  }

  /** Wallets that wait or are being read. */
  get busy(): number {
    return this.wanted.size
  }

  async stop(): Promise<void> {
    this.ending.abort()
    this.wanted.clear()
    await Promise.all(this.running.values())
  }

  private pump(): void {
    for (const [key, wanted] of this.wanted) {
      if (this.running.size >= readingsAtOnce) return
      if (this.running.has(key)) continue
      const done = this.fill(wanted).then(() => {
        this.running.delete(key)
        this.wanted.delete(key)
        this.remember(key)
        this.pump()
      })
      this.running.set(key, done)
    }
  }

  /** Never rejects. */
  private async fill({ venue, wallet }: Wanted): Promise<void> {
    const { store, log } = this.options
    try {
      const reading = await this.read(venue, wallet)
      const places = await this.places(venue.slug, reading.rows)
      const told = toldOf(reading, (outcomeId) => places.get(outcomeId) ?? null)
      if (told !== null && !this.ending.signal.aborted)
        await insertTold(store, told, randomInt(2 ** 47), `told ${randomUUID()}`)
      this.failures = 0
    } catch (error) {
      if (this.failures++ === 0 && !this.ending.signal.aborted)
        log.warn({ venue: venue.slug, err: error }, 'a wallet could not be taken into the record')
    }
  }

  /** From the newest page to the oldest that is taken. Rejects when one of them cannot be read: half of it may be anything. */
  private read(venue: TraderVenue, wallet: string): Promise<Reading> {
    const { slug, traders, context } = venue
    const signal = AbortSignal.any([context.signal, this.ending.signal])
    const asked = { ...venue, context: { ...context, signal } }
    return this.reads.ask(
      asked,
      wallet,
      async (within) => {
        const askedAt = this.options.clock.now()
        const rows: TraderTrade[] = []
        let after: TradersPlace | null = null
        for (let page = 0; page < pagesMax; page++) {
          within.signal.throwIfAborted()
          const told = await traders!.fetchWalletTrades!(within, wallet, { limit: rowsPerPage, after })
          // Cut, it would not be whole; taken, it might be endless.
          if (told.rows.length > rowsPerPage) throw new Error(`a page of ${told.rows.length} rows`)
          rows.push(...told.rows)
          after = told.next
          if (after === null) break
        }
        return { venue: slug, wallet, rows, isWhole: after === null, askedAt }
      },
      readingMs,
    )
  }

  private async places(venue: string, rows: readonly TraderTrade[]): Promise<Map<string, TradePlace>> {
    const outcomes = [...new Set(rows.flatMap(({ outcomeId }) => outcomeId ?? []))]
    const places = new Map<string, TradePlace>()
    for (let from = 0; from < outcomes.length; from += placesAtOnce) {
      await Promise.all(
        outcomes.slice(from, from + placesAtOnce).map(async (outcomeId) => {
          const place = await this.options.catalog.findPlace(venue, outcomeId)
          if (place !== null) places.set(outcomeId, place)
        }),
      )
    }
    return places
  }

  private remember(key: string): void {
    this.readAt.delete(key)
    this.readAt.set(key, this.options.clock.monotonic())
    const [oldest] = this.readAt.keys()
    if (this.readAt.size > rememberedMax) this.readAt.delete(oldest!)
  }
}

/** A venue whose trades the record does not see has no use for a part of them. */
const isReadable = (venue: TraderVenue): boolean =>
  venue.traders?.fetchWalletTrades !== undefined &&
  isInFeed(venue) &&
  (venue.traders.missing?.(venue.context) ?? null) === null
