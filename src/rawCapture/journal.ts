// Writes the lines of one run into rolling files. Writing never waits and never throws: lines that the disk does not accept in time are
// dropped, and the next line written has their number.
//
// lines ─► block (some 256 kB, or a second's) ─► queue, bounded ─► gzip ─► file
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip as gzipWithCallback } from 'node:zlib'
import { backoffMs } from '#core/backoff'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { ThrottledLog } from '#core/throttledLog'
import { keepWithin, nameOfFile } from './captureFolder.ts'
import type { EventLine, HeaderLine, NoteLine } from './lines.ts'

const gzip = promisify(gzipWithCallback)

/** A block is compressed once it has so many characters, or after `blockMs`: that much is lost when the process is killed. */
const blockChars = 256 * 1024
const blockMs = 1_000
/** After a failure the disk is tried again later. */
const diskBackoff = { baseMs: 1_000, capMs: 60_000 }

export interface CaptureLimits {
  /** A file is followed by the next one at this size, compressed … */
  fileBytes: number
  /** … or this age. */
  fileMs: number
  /** Of all files in the folder. */
  totalBytes: number
  /** Characters of all runs of the process that wait to be written. */
  queueChars: number
}

/** Shared by the runs of one process. */
export interface CaptureStore {
  folder: string
  limits: CaptureLimits
  /** Characters that wait to be written. */
  queued: number
  /** Paths of the files being written. */
  readonly inUse: Set<string>
  clock: Clock
  log: Log
}

/** Since it began. */
export interface JournalFigures {
  /** Compressed bytes written. */
  readonly bytes: number
  /** Lines not written. */
  readonly dropped: number
}

export interface JournalOptions {
  store: CaptureStore
  venue: string
  run: string
  /** Fields of the header of a file that begins now, except its number and time. */
  header(): Omit<HeaderLine, 'type' | 'venue' | 'run' | 'file' | 'events'>
}

interface Block {
  text: string
  lines: number
  events: number
  /** It begins with a header, and a file. */
  path: string | null
}

interface OpenFile {
  path: string
  write(bytes: Buffer): Promise<void>
  close(): Promise<void>
}

export class Journal implements JournalFigures {
  /** Events so far, written or not. */
  events = 0
  /** Lines that were not written. */
  dropped = 0
  /** Compressed bytes written. */
  bytes = 0
  private lines: string[] = []
  private chars = 0
  private blockEvents = 0
  private blockPath: string | null = null
  private gap = { lines: 0, events: 0 }
  private readonly queue: Block[] = []
  private draining: Promise<void> | null = null
  private file: OpenFile | null = null
  private fileNumber = 0
  private fileBytes = 0
  private fileSince = 0
  private needsFile = true
  private failures = 0
  private closed = false
  private wake: () => void = () => undefined
  private readonly timer: Timer
  private readonly disk: ThrottledLog
  private readonly options: JournalOptions

  constructor(options: JournalOptions) {
    this.options = options
    const { clock, log } = options.store
    this.disk = new ThrottledLog(log, clock)
    this.timer = clock.every(blockMs, () => this.seal())
    this.begin()
  }

  /** Before it takes effect. Returns the time that is written of it, epoch ms. */
  event(line: EventLine): number {
    // The header is of the time before it.
    const fits = this.begin()
    const at = this.options.store.clock.now()
    this.events++
    this.append(line, { events: 1, fits, at })
    return at
  }

  note(line: NoteLine): void {
    const fits = this.begin()
    this.append(line, { events: 0, fits, at: this.options.store.clock.now() })
  }

  /** Resolves when everything is written or dropped. */
  async close(): Promise<void> {
    this.timer.cancel()
    this.seal()
    this.closed = true
    this.wake()
    await this.draining
    await this.closeFile()
  }

  /** Begins a block with the lines a reader needs. False: it does not fit. */
  private begin(): boolean {
    if (this.closed) return false
    if (this.lines.length > 0) return true
    const { store, venue, run, header } = this.options
    const { fileBytes, fileMs } = store.limits
    const now = store.clock.monotonic()
    const isNew = this.needsFile || this.fileBytes >= fileBytes || now - this.fileSince >= fileMs
    const file = isNew ? this.fileNumber + 1 : this.fileNumber
    // A reader begins again after a gap.
    if (isNew || this.gap.lines > 0) {
      if (!this.push({ type: 'capture', venue, run, file, events: this.events, ...header() })) return false
    }
    if (isNew) {
      this.blockPath = join(store.folder, nameOfFile(venue, run, file))
      this.fileNumber = file
      this.needsFile = false
      this.fileBytes = 0
      this.fileSince = now
    }
    if (this.gap.lines === 0) return true
    if (!this.push({ type: 'dropped', ...this.gap })) return false
    this.gap = { lines: 0, events: 0 }
    return true
  }

  private append(
    line: EventLine | NoteLine,
    { events, fits, at }: { events: number; fits: boolean; at: number },
  ): void {
    if (fits && this.push(line, at)) this.blockEvents += events
    else {
      if (!this.closed) this.disk.warn({ venue: this.options.venue }, 'the disk is too slow for the raw capture')
      this.lose({ lines: 1, events })
    }
    if (this.chars >= blockChars) this.seal()
  }

  /** False: it does not fit. */
  private push(line: HeaderLine | EventLine | NoteLine, at = this.options.store.clock.now()): boolean {
    const { store } = this.options
    const { clock, limits } = store
    const text = `${JSON.stringify({ at, mono: Math.round(clock.monotonic() * 1_000) / 1_000, ...line })}\n`
    if (store.queued + text.length > limits.queueChars) return false
    this.lines.push(text)
    this.chars += text.length
    store.queued += text.length
    return true
  }

  private lose({ lines, events }: { lines: number; events: number }): void {
    this.dropped += lines
    this.gap.lines += lines
    this.gap.events += events
  }

  private seal(): void {
    if (this.lines.length === 0) return
    this.queue.push({
      text: this.lines.join(''),
      lines: this.lines.length,
      events: this.blockEvents,
      path: this.blockPath,
    })
    this.lines = []
    this.chars = 0
    this.blockEvents = 0
    this.blockPath = null
    this.draining ??= this.drain().finally(() => {
      this.draining = null
    })
  }

  private async drain(): Promise<void> {
    const { store, venue } = this.options
    for (let block = this.queue.shift(); block !== undefined; block = this.queue.shift()) {
      try {
        await this.write(block)
        store.queued -= block.text.length
        this.failures = 0
      } catch (error) {
        store.queued -= block.text.length
        this.disk.warn({ venue, err: error }, 'the raw capture cannot be written; its lines are dropped')
        this.giveUp(block)
        await this.closeFile()
        await this.rest(backoffMs(this.failures++, diskBackoff, Math.random))
      }
    }
  }

  private rest(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.closed) return resolve()
      const timer = this.options.store.clock.after(waitMs, resolve)
      this.wake = () => {
        timer.cancel()
        resolve()
      }
    })
  }

  /** With everything that waits: the beginning of its file is missing. */
  private giveUp(block: Block): void {
    this.lose(block)
    this.seal()
    for (const each of this.queue.splice(0)) {
      this.lose(each)
      this.options.store.queued -= each.text.length
    }
    this.needsFile = true
  }

  private async write({ text, path }: Block): Promise<void> {
    if (path !== null) await this.openFile(path)
    const { file } = this
    if (file === null) throw new Error('its file is closed')
    const bytes = await gzip(text, { level: 3 })
    await file.write(bytes)
    this.fileBytes += bytes.length
    this.bytes += bytes.length
  }

  private async openFile(path: string): Promise<void> {
    const { folder, limits, inUse } = this.options.store
    await this.closeFile()
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const handle = await open(path, 'ax', 0o600)
    inUse.add(path)
    this.file = {
      path,
      write: (bytes) => handle.appendFile(bytes),
      close: () => handle.close(),
    }
    // Room for this file, too.
    await keepWithin(folder, Math.max(0, limits.totalBytes - limits.fileBytes), inUse)
  }

  private async closeFile(): Promise<void> {
    const { file } = this
    this.file = null
    if (file === null) return
    this.options.store.inUse.delete(file.path)
    try {
      await file.close()
    } catch (error) {
      this.disk.warn({ venue: this.options.venue, err: error }, 'a file of the raw capture cannot be closed')
    }
  }
}
