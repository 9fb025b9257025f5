// Adds requested wallets to the record: their history is read once from the venue, in the background, and stored completely or not at all
// (docs/decisions/0045). A few are read at a time, some more are queued, and the rest is refused: a later call can retry.
import { randomInt, randomUUID } from 'node:crypto'
import { Cache } from '#core/cache'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { TapeStore } from '#storage/clickhouse/client'
import { insertReportedTrades } from '#storage/clickhouse/reportedTradesInsert'
import { insertSettlements } from '#storage/clickhouse/traderInsert'
import { isStreamed } from '#venues/traderData'
import type { TraderVenue } from '../ports.ts'
import type { RecordCatalog } from './ports.ts'
import { payoutsOf } from './settlements.ts'
import { venueReportOf } from './venueReported.ts'
import { WalletReader } from './walletReader.ts'

const readingsAtOnce = 2
export const waitingMax = 100
/** Limit regardless of demand: each wallet may have a thousand rows. */
export const walletsPerHour = 120
const hourMs = 3_600_000
/** Minimum interval between two reads of a wallet, even after a failure. */
export const retryMs = 60_000
const recentMax = 10_000

export interface FillInsOptions {
  /** By slug, within the share of each venue's budget available to this. */
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

export class Backfill {
  /** Queued and in progress, in order of arrival. */
  private readonly wanted = new Map<string, Wanted>()
  private readonly running = new Map<string, Promise<void>>()
  /** Wallets read less than `retryMs` ago. */
  private readonly recent: Cache<true>
  private readonly reader: WalletReader
  private readonly ending = new AbortController()
  private failures = 0
  /** Wallets accepted since that time, on the monotonic clock. */
  private hour = { since: Number.NEGATIVE_INFINITY, taken: 0 }
  private readonly options: FillInsOptions

  constructor(options: FillInsOptions) {
    this.options = options
    this.recent = new Cache(recentMax, { clock: options.clock, forMs: retryMs })
    this.reader = new WalletReader(options)
  }

  /** Whether it is, or will be, read. Returns at once. */
  take(slug: string, wallet: string): boolean {
    const venue = this.options.venues.get(slug)
    if (venue === undefined || !isReadable(venue) || this.ending.signal.aborted) return false
    const key = `${slug} ${wallet}`
    if (this.wanted.has(key)) return true
    if (this.recent.get(key) === true || this.wanted.size >= waitingMax) return false
    const now = this.options.clock.monotonic()
    if (now - this.hour.since >= hourMs) this.hour = { since: now, taken: 0 }
    if (this.hour.taken >= walletsPerHour) return false
    this.hour.taken++
    this.wanted.set(key, { venue, wallet })
    this.pump()
    return true
  }

  /** Wallets queued or being read. */
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
        this.recent.set(key, true)
        this.pump()
      })
      this.running.set(key, done)
    }
  }

  /** Never rejects. */
  private async fill({ venue, wallet }: Wanted): Promise<void> {
    const { store, log } = this.options
    try {
      const { reading, places, unlisted } = await this.reader.read(endingWith(venue, this.ending.signal), wallet)
      const report = venueReportOf(reading, (outcomeId) => places.get(outcomeId) ?? null)
      this.failures = 0
      if (report === null || this.ending.signal.aborted) return
      await insertReportedTrades(store, report, randomInt(2 ** 47), `reported ${randomUUID()}`)
      const settled = unlisted.flatMap((market) => payoutsOf(venue.slug, market) ?? [])
      await insertSettlements(store, settled, randomInt(2 ** 47), `settlements ${randomUUID()}`)
    } catch (error) {
      if (this.failures++ === 0 && !this.ending.signal.aborted)
        log.warn({ venue: venue.slug, err: error }, 'failed to add a wallet to the record')
    }
  }
}

/** If the record does not receive a venue's trades, the history of a single wallet is of no use. */
const isReadable = (venue: TraderVenue): boolean =>
  venue.traders?.fetchWalletTrades !== undefined &&
  isStreamed(venue) &&
  (venue.traders.missing?.(venue.context) ?? null) === null

function endingWith(venue: TraderVenue, ending: AbortSignal): TraderVenue {
  const signal = AbortSignal.any([venue.context.signal, ending])
  return { ...venue, context: { ...venue.context, signal } }
}
