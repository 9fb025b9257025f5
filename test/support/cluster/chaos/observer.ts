// Reads one gateway once a second, over HTTP and as a subscriber, across its restarts, and reports books that were last true too long ago.
import { expect } from 'vitest'
import { ask, eventually, levelsOf, type Served, type WireBook } from '../client.ts'
import type { RoleProcess } from '../roleProcess.ts'
import type { Truth, WatchedBook } from './truth.ts'
import { Watcher } from './watcher.ts'

/** Maximum age of a served book whose owner has died, and an allowance for a slow response on a busy machine. */
const servedFreshMs = 15_000 + 2_000
/** A process that resumed or started updates its subscribers within this time. */
const updatedWithinMs = 5_000
/** Maximum age of the older book of an executable row: silence of its venue, of its compute process, and the interval of the surface. */
const rowAgeMs = 30_000

export interface WitnessOptions {
  gateway: RoleProcess
  apiKey: string
  truth: Truth
  books: readonly WatchedBook[]
  /** Since when the gateway runs undisturbed (performance.now()); null during a disturbance. */
  calmSince(): number | null
  /** Something served is not true. */
  onWrong(what: string): void
}

export class Witness {
  readonly counts = { served: 0, fresh: 0, held: 0, heldFresh: 0, rows: 0, oldestMs: 0 }
  /** Of the surface: the last number. */
  seq = -1
  private watcher: Watcher | null = null
  private isLooking = false
  private readonly complaints = new Map<string, number>()
  private readonly options: WitnessOptions

  constructor(options: WitnessOptions) {
    this.options = options
  }

  async look(): Promise<void> {
    const { books, calmSince } = this.options
    const calm = calmSince()
    if (this.isLooking || calm === null) return
    this.isLooking = true
    try {
      if (this.watcher?.closed !== false) {
        this.keepComplaints()
        this.watcher?.close()
        this.watcher = await Watcher.open(this.served, books, this.seq).catch(() => null)
      }
      if (this.watcher !== null && performance.now() - calm > updatedWithinMs) this.lookAtSocket(this.watcher)
      await this.readBooks()
    } finally {
      this.isLooking = false
    }
  }

  /** While the venues are paused: everything is sent again, and is correct. */
  async converges(): Promise<void> {
    const { gateway, truth, books } = this.options
    await eventually(async () => {
      await this.look()
      for (const book of books) {
        const age = truth.ageOf(book, this.watcher?.books.get(`${book.venue}:${book.marketId}`) ?? 'nothing')
        expect(age, `${gateway.name} ${book.venue} ${book.marketId}`).toBe(0)
      }
    }, 60_000)
  }

  /** Returns the error messages that its subscriber received, with counts. */
  close(): Record<string, number> {
    this.keepComplaints()
    this.watcher?.close()
    return Object.fromEntries(this.complaints)
  }

  private get served(): Served {
    const { gateway, apiKey } = this.options
    return { url: gateway.url, stream: gateway.stream, apiKey }
  }

  private keepComplaints(): void {
    const { complaints } = this
    for (const [words, times] of this.watcher?.complaints ?? [])
      complaints.set(words, (complaints.get(words) ?? 0) + times)
  }

  private checkBook(how: string, book: WatchedBook, levels: string): void {
    const { gateway, truth, onWrong } = this.options
    const ageMs = truth.ageOf(book, levels)
    this.counts.oldestMs = Math.max(this.counts.oldestMs, ageMs)
    if (ageMs > servedFreshMs)
      onWrong(
        `${gateway.name} ${how} ${book.venue} ${book.marketId.slice(0, 20)}: last true ${Math.round(ageMs)} ms ago`,
      )
  }

  private async readBooks(): Promise<void> {
    const { books, calmSince } = this.options
    for (const book of books) {
      const before = calmSince()
      const path = `/api/${book.venue}/fetchOrderBook?outcomeId=${book.marketId}`
      const reply = before === null ? null : await ask(this.served, path).catch(() => null)
      // A response from before the gateway was suspended or killed is outdated by design.
      if (reply?.status !== 200 || calmSince() !== before) continue
      this.counts.served++
      if ((reply.body.provenance as { source: string }).source !== 'service-live') continue
      this.counts.fresh++
      this.checkBook('serves', book, levelsOf(reply.body.data as WireBook))
    }
  }

  private lookAtSocket(open: Watcher): void {
    const { gateway, books, onWrong } = this.options
    open.check()
    this.seq = open.seq
    for (const book of books) {
      const held = open.books.get(`${book.venue}:${book.marketId}`)
      if (held === undefined) continue
      this.counts.held++
      if (held === null) continue
      this.counts.heldFresh++
      this.checkBook('streams', book, held)
    }
    // Clients recognize a silent surface by its missing heartbeats.
    if (performance.now() - open.surfaceAt > updatedWithinMs) return
    for (const { clusterId, executable, asOf } of open.rows.values()) {
      if (!executable) continue
      this.counts.rows++
      const ageMs = Date.now() - Date.parse(asOf ?? '')
      if (!(ageMs <= rowAgeMs)) onWrong(`${gateway.name} executable ${clusterId}: as of ${Math.round(ageMs)} ms ago`)
    }
  }
}
