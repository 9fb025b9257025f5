// The tape writer: takes tape batches from the bus and puts them into ClickHouse, each row once.
//
//   in one process   bus ─► backlog (≥ 10,000 rows or some seconds a block) ─► insert ─► done       the bus never waits for ClickHouse
//   over Kafka       batch ─► insert with the batch's token ─► handle resolves ─► offsets     Kafka is the backlog
import { randomUUID } from 'node:crypto'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import type { TapeBatch } from '#schemas/topics'
import type { Bus, TopicBatch } from '#storage/bus/bus'
import { Backlog, backlogRowsMax, type LostRows } from './backlog.ts'
import type { TapeStore } from './client.ts'
import { insertLostRows } from './coverageInsert.ts'
import { TapeBlock } from './insert.ts'
import { Arrival } from './insertSequence.ts'
import { closePredecessors, endOtherMarks } from './succession.ts'
import { waitForWrite } from './waitForWrite.ts'
import { handOverMs, kafkaLagMs, type Progress, progressEveryMs, publishWatermark } from './watermark.ts'

/** A block is sent at this many rows: an insert costs the engine as much as thousands of rows do … */
export const flushRows = 10_000
/**
 * … or when its first row has waited this long per insert it needs (one per table), whichever comes first: when idle that is one insert per second.
 */
export const flushMs = 1_000
/** What is not on the tape this long after `stop` is dropped (one process) or left to the next owner (Kafka). */
export const stopDeadlineMs = 7_000

export interface TapeWriterOptions {
  bus: Bus
  store: TapeStore
  clock: Clock
  log: Log
  /** `local`: small batches are gathered. `kafka`: a batch's offsets are committed when it is on the tape. */
  mode: 'local' | 'kafka'
  random?: () => number
  backlogRowsMax?: number
}

export interface TapeWriterStats {
  rowsWritten: number
  inserts: number
  /** Rows waiting or being inserted. */
  backlogRows: number
  /**
   * Age of what was read last, or of the oldest that waits; 0 if nothing arrived lately. Over Kafka, where rows wait in partitions, this shows the
   * lag.
   */
  lagMs: number
  /** Rows dropped because the backlog was full or the writer had to stop. */
  rowsLost: number
  /** Invalid rows. */
  rowsRejected: number
  /** Rows that a former owner of the venue still sent after its successor took over: left out. */
  rowsFenced: number
  /** Failed tries since the last success; 0 means ClickHouse answers. */
  failures: number
}

export interface TapeWriter {
  stats(): TapeWriterStats
  /** Stops taking batches and writes what is waiting, within the deadline. Idempotent. */
  stop(): Promise<void>
}

/** A reader that has caught up has no lag. */
const lagLivesMs = 30_000

export const tapeGroup = 'crossbook-tape'

export async function startTapeWriter(options: TapeWriterOptions): Promise<TapeWriter> {
  const writer = options.mode === 'local' ? new GatheringWriter(options) : new DirectWriter(options)
  await writer.start()
  return writer
}

abstract class Writer implements TapeWriter {
  protected readonly counts = { rowsWritten: 0, inserts: 0, rowsLost: 0, rowsRejected: 0, rowsFenced: 0, failures: 0 }
  protected readonly arrival = new Arrival()
  protected readonly options: TapeWriterOptions
  /** Aborts waiting for the next try. */
  protected readonly giveUp = new AbortController()
  protected stopConsuming: () => Promise<void> = async () => undefined
  private stopped: Promise<void> | undefined
  private succession: Promise<void> = Promise.resolve()
  private progress: Progress | undefined

  constructor(options: TapeWriterOptions) {
    this.options = options
  }

  async start(): Promise<void> {
    const { bus, store, clock, log, mode } = this.options
    const writer = randomUUID()
    const onSoleReader = (): void => {
      const startedAt = clock.now()
      this.succession = this.succeed(() => endOtherMarks(store, { clock, startedAt, writer })).then(() => undefined)
    }
    this.stopConsuming = await bus.consume('tape', tapeGroup, (batch) => this.handle(batch), onSoleReader)
    const startedAt = clock.now()
    const progress = publishWatermark({ store, clock, log, writer, until: () => this.writtenUntil() })
    this.progress = progress
    if (mode === 'local')
      this.succession = this.succeed(() => closePredecessors(store, { clock, startedAt })).then((isDone) =>
        isDone ? progress.report() : undefined,
      )
  }

  /** An earlier writer that did not end properly is gone: always in one process, over Kafka once this one is the only reader. */
  private succeed(close: () => Promise<void>): Promise<boolean> {
    const { clock, log, random = Math.random } = this.options
    return waitForWrite(close, {
      clock,
      random,
      signal: this.giveUp.signal,
      onFailure: (error) => log.warn({ err: error }, 'failed to record the end of an earlier tape writer; will retry'),
    })
  }

  abstract stats(): TapeWriterStats
  /** Everything received before this and given to this writer is on the tape, epoch ms. */
  protected abstract writtenUntil(): number
  protected abstract handle(batch: TopicBatch<'tape'>): Promise<void>
  protected abstract drain(): Promise<void>

  stop(): Promise<void> {
    this.stopped ??= this.end()
    return this.stopped
  }

  private async end(): Promise<void> {
    await this.drain()
    await this.withinDeadline(this.succession)
    await this.progress?.stop(!this.giveUp.signal.aborted)
  }

  protected async write(
    block: TapeBlock,
    token: string,
    { repeated = false, allowed }: { repeated?: boolean; allowed?: () => boolean } = {},
  ): Promise<boolean> {
    const written = await waitForWrite(() => block.insert(this.options.store, token, repeated), {
      clock: this.options.clock,
      random: this.options.random ?? Math.random,
      signal: this.giveUp.signal,
      allowed,
      onFailure: (error, attempt) => {
        this.counts.failures += 1
        this.options.log.warn({ err: error, attempt, rows: block.rows }, 'tape insert failed; will retry')
      },
    })
    if (written) {
      this.counts.failures = 0
      this.counts.inserts += 1
      this.counts.rowsWritten += block.rows
    }
    return written
  }

  protected noteRejected(rows: number): void {
    if (rows === 0) return
    this.counts.rowsRejected += rows
    this.options.log.error({ rows }, 'tape rows with an impossible time, price or size were dropped')
  }

  /** Waits for `work`, but not past the stop deadline: a hung insert is abandoned. */
  protected async withinDeadline(work: Promise<unknown>): Promise<void> {
    const deadline = new Promise<void>((resolve) => {
      this.giveUp.signal.addEventListener('abort', () => resolve())
    })
    const timer = this.options.clock.after(stopDeadlineMs, () => this.giveUp.abort())
    await Promise.race([work, deadline])
    timer.cancel()
  }
}

/** One process: the bus must never wait, so rows wait here. */
class GatheringWriter extends Writer {
  private readonly backlog: Backlog
  private readonly lost = new Map<string, LostRows>()
  private timer: Timer | undefined
  private pumping: Promise<void> | undefined
  private stopping = false
  private reports = 0
  /** When the oldest row of the block being inserted arrived, on the monotonic clock. */
  private underWay: number | null = null

  constructor(options: TapeWriterOptions) {
    super(options)
    this.backlog = new Backlog(this.arrival, options.backlogRowsMax ?? backlogRowsMax)
  }

  stats(): TapeWriterStats {
    return { ...this.counts, backlogRows: this.backlog.rows, lagMs: this.waitedMs() }
  }

  protected writtenUntil(): number {
    return this.options.clock.now() - handOverMs - this.waitedMs()
  }

  private waitedMs(): number {
    const oldest = this.underWay ?? this.backlog.oldest()
    return oldest === null ? 0 : this.options.clock.monotonic() - oldest
  }

  protected async handle({ values }: TopicBatch<'tape'>): Promise<void> {
    const now = this.options.clock.monotonic()
    const rejectedBefore = this.backlog.rejected
    for (const batch of values) this.noteLost(this.backlog.add(batch, now))
    this.noteRejected(this.backlog.rejected - rejectedBefore)
    this.schedule()
  }

  /** Starts the pump now or when the oldest row has waited long enough. */
  private schedule(): void {
    if (this.pumping !== undefined || this.giveUp.signal.aborted) return
    const oldest = this.backlog.oldest()
    if (oldest === null) return
    const waitMs = oldest + flushMs * Math.max(1, this.backlog.oldestInserts()) - this.options.clock.monotonic()
    if (this.stopping || waitMs <= 0 || this.backlog.waitingRows() >= flushRows) {
      this.timer?.cancel()
      this.timer = undefined
      this.pumping = this.pump().finally(() => {
        this.pumping = undefined
        this.schedule()
      })
    } else if (this.timer === undefined) {
      this.timer = this.options.clock.after(waitMs, () => {
        this.timer = undefined
        this.schedule()
      })
    }
  }

  private async pump(): Promise<void> {
    const taken = this.backlog.take()
    if (taken === undefined) return
    this.underWay = taken.since
    const written = await this.write(taken.block, taken.token)
    this.underWay = null
    this.backlog.done(taken)
    if (!written) this.noteLost([...taken.outcomes.values()])
    else await this.reportLost()
  }

  private noteLost(lost: readonly LostRows[]): void {
    for (const rows of lost) {
      this.counts.rowsLost += rows.rows
      const key = `${rows.venue}:${rows.outcomeId}`
      const seen = this.lost.get(key)
      if (seen === undefined) this.lost.set(key, { ...rows })
      else {
        seen.rows += rows.rows
        seen.from = Math.min(seen.from, rows.from)
        seen.to = Math.max(seen.to, rows.to)
      }
    }
    if (lost.length > 0)
      this.options.log.error({ outcomes: lost.length }, 'tape rows were dropped; coverage will record the gap')
  }

  /** As soon as ClickHouse answers again, the missing rows are recorded in coverage. */
  private async reportLost(): Promise<void> {
    if (this.lost.size === 0) return
    const report = [...this.lost.values()]
    this.lost.clear()
    try {
      await insertLostRows(this.options.store, report, `${this.backlog.token}/lost:${this.reports++}`)
    } catch (error) {
      for (const rows of report) this.lost.set(`${rows.venue}:${rows.outcomeId}`, rows)
      this.options.log.warn({ err: error }, 'failed to record the gap of dropped tape rows; will retry')
    }
  }

  protected async drain(): Promise<void> {
    await this.stopConsuming()
    this.stopping = true
    this.timer?.cancel()
    this.timer = undefined
    await this.withinDeadline(this.drainBacklog())
    this.noteLost(this.backlog.giveUpAll())
  }

  private async drainBacklog(): Promise<void> {
    this.schedule()
    while (this.pumping !== undefined && !this.giveUp.signal.aborted) await this.pumping
  }
}

/** Over Kafka: a batch that is not on the tape is not committed and is delivered again, here or to another writer. */
class DirectWriter extends Writer {
  private inFlight = 0
  /** Newest receive times of recently read batches, with the time of reading: old ones mean lag. */
  private lately: { at: number; received: number; lagMs: number; isWritten: boolean }[] = []

  protected writtenUntil(): number {
    const { clock } = this.options
    const since = clock.monotonic() - 6 * progressEveryMs
    this.lately = this.lately.filter(({ at, isWritten }) => at >= since || !isWritten)
    return Math.min(clock.now() - kafkaLagMs, ...this.lately.map(({ received }) => received))
  }

  /** Noted when read rather than when written: a batch that is never written holds the watermark back. */
  private noteRead(values: readonly TapeBatch[]): { isWritten: boolean } {
    let received = 0
    for (const { topOfBook, trades, books, depth = [] } of values)
      for (const rows of [topOfBook, trades, books, depth])
        for (const { recvTs } of rows) received = Math.max(received, recvTs)
    const { clock } = this.options
    const noted = { at: clock.monotonic(), received, lagMs: clock.now() - received, isWritten: false }
    if (received > 0) this.lately.push(noted)
    return noted
  }

  stats(): TapeWriterStats {
    const { clock } = this.options
    const since = clock.monotonic() - lagLivesMs
    // A written batch keeps the age it had when written; an unwritten one grows older.
    const ages = this.lately
      .filter(({ at, isWritten }) => at >= since || !isWritten)
      .map(({ lagMs, received, isWritten }) => (isWritten ? lagMs : clock.now() - received))
    return { ...this.counts, backlogRows: this.inFlight, lagMs: Math.max(0, ...ages) }
  }

  protected async handle({ token, values, fenced, repeated, owned }: TopicBatch<'tape'>): Promise<void> {
    for (const { topOfBook, trades, books, depth = [] } of fenced)
      this.counts.rowsFenced += topOfBook.length + trades.length + books.length + depth.length
    const block = new TapeBlock()
    for (const batch of values) block.add(batch, this.arrival)
    this.noteRejected(block.rejected)
    if (block.rows === 0) return
    const noted = this.noteRead(values)
    this.inFlight += block.rows
    const written = await this.write(block, token, { repeated, allowed: owned })
    // An unwritten one is read again, here or elsewhere.
    noted.isWritten = true
    this.inFlight -= block.rows
    if (!written) throw new Error(`the tape writer ${owned() ? 'stopped' : 'slept'} before the batch was on the tape`)
  }

  protected async drain(): Promise<void> {
    await this.withinDeadline(this.stopConsuming())
  }
}
