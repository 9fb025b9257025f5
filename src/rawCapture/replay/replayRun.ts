// Plays one run of a capture to a real ingest with the venue's real adapter, on a clock that shows the times of the capture.
import { setImmediate } from 'node:timers/promises'
import type { BookUpdate, TapeBatch, TradeUpdate } from '#schemas/topics'
import { manifests } from '#venues/registry'
import type { VenueManifest } from '#venues/venue'
import type { HeaderLine, NoteLine, StampedLine } from '../lines.ts'
import { type CaptureRun, type Place, readLines, UnreadableCapture } from '../readCapture.ts'
import { Comparison } from './comparison.ts'
import { countCompared, type ReplayReport } from './report.ts'
import { startWorld, type World } from './world.ts'

/** Turns of the event loop in which actors and answers react to an event. */
const settlingTurns = 4

export async function replayRun(run: CaptureRun): Promise<ReplayReport> {
  return new Replay(run).play()
}

class Replay {
  private world: World | null = null
  private events = 0
  private lines = 0
  private dropped = 0
  private partial = 0
  private torn = false
  private isStopped = false
  private readonly totals = { frames: 0, unplayed: 0, requests: 0, unanswered: 0, unused: 0 }
  private readonly unansweredUrls = new Set<string>()
  private readonly comparison = new Comparison()
  private readonly books = new Map<string, BookUpdate>()
  private finalBooks: ReadonlyMap<string, BookUpdate> | null = null
  private readonly trades = new Map<string, number>()
  private readonly manifest: VenueManifest
  private readonly run: CaptureRun
  /** Requests with an answer in the capture, by part. */
  private readonly answered: Extract<NoteLine, { type: 'request' }>[][] = []
  /** Requests that were in flight when the run ended, likewise. */
  private readonly inFlight: Extract<NoteLine, { type: 'request' }>[][] = []

  constructor(run: CaptureRun) {
    this.run = run
    const manifest = manifests.find(({ slug }) => slug === run.venue)
    if (manifest === undefined) throw new UnreadableCapture(`this program knows no venue ${run.venue}`)
    this.manifest = manifest
  }

  async play(): Promise<ReplayReport> {
    await this.findAnswers()
    this.events = 0
    try {
      for await (const { line, place } of readLines(this.run)) {
        if (line === null) {
          this.torn = true
          continue
        }
        this.lines++
        if (line.type === 'capture') {
          if (this.world === null || line.events !== this.events) await this.begin(line)
        } else if (this.world !== null) await this.take(this.world, line, place)
      }
      await this.end()
    } finally {
      await this.leave()
    }
    return this.report()
  }

  /** A first reading: which requests have an answer, so that the others can fail at once. */
  private async findAnswers(): Promise<void> {
    let open = new Map<number, Extract<NoteLine, { type: 'request' }>>()
    let events = 0
    for await (const { line } of readLines(this.run)) {
      if (line === null) continue
      if (line.type === 'capture') {
        if (this.answered.length > 0 && line.events === events) continue
        events = line.events
        open = new Map()
        this.answered.push([])
        this.inFlight.push([])
      } else if (line.type === 'request') open.set(line.request, line)
      else if (line.type === 'response' || line.type === 'failure') {
        const request = open.get(line.request)
        open.delete(line.request)
        if (request !== undefined) this.answered.at(-1)!.push(request)
      } else if (line.type === 'stopped')
        for (const number of line.inFlight ?? []) {
          const request = open.get(number)
          if (request !== undefined) this.inFlight.at(-1)!.push(request)
        }
      if (isEvent(line)) events++
    }
  }

  private async begin(header: StampedLine & HeaderLine): Promise<void> {
    await this.leave()
    // Nothing came before the first line of the first file.
    const isPartial = header.events > 0
    if (isPartial) this.partial++
    this.events = header.events
    this.comparison.begin(isPartial)
    this.books.clear()
    this.trades.clear()
    this.world = startWorld(this.manifest, header, (topic, _key, value) => {
      if (topic === 'books') this.published(value as BookUpdate)
      else if (topic === 'tape') this.taped(value as TapeBatch)
    })
    for (const request of this.answered.shift() ?? []) this.world.client.expect(request)
    for (const request of this.inFlight.shift() ?? []) this.world.client.expectNoAnswer(request)
    await this.settle()
  }

  private async take(world: World, line: StampedLine, place: Place): Promise<void> {
    const { clock, client, sockets, ingest } = world
    await this.passTime(world, line)
    if (isEvent(line)) this.events++
    switch (line.type) {
      case 'pin':
        ingest.actor.send({ kind: 'pin', bookIds: line.bookIds })
        break
      case 'demand': {
        const { type: _, at: __, mono: ___, ...demand } = line
        world.demands.set(line.gatewayId, line)
        ingest.actor.send({ kind: 'demand', ...demand })
        break
      }
      case 'demandAgain': {
        const { type: _, ...demand } = world.demands.get(line.gatewayId) ?? { type: null, gatewayId: '', marketIds: [] }
        if (demand.gatewayId !== '') ingest.actor.send({ kind: 'demand', ...demand })
        break
      }
      case 'connect':
        sockets.connect(line.socket)
        break
      case 'open':
      case 'frame':
        sockets.take(line)
        break
      case 'closed':
        sockets.take(line)
        sockets.ended(line.socket)
        break
      case 'close':
        sockets.ended(line.socket)
        break
      case 'request':
        client.noteRequest(line)
        break
      case 'response':
      case 'failure':
        client.take(line)
        break
      case 'token':
        world.tokens.issue(line.error)
        break
      case 'chainTrade':
        ingest.trades.publish(line.trade as TradeUpdate, line.isLate)
        break
      case 'book':
        this.comparison.bookNote(line, line, place)
        break
      case 'trades':
        this.comparison.tradesNote(line, line.at, place)
        break
      case 'dropped':
        this.dropped += line.lines
        break
      case 'stopping':
        this.finish()
        await ingest.stop()
        break
      case 'stopped':
        this.isStopped = true
    }
    if (isEvent(line)) await this.settle()
    this.comparison.settle(clock.captured())
  }

  /** Timers run one after the other, each with what follows from it. */
  private async passTime({ clock }: World, { at, mono }: StampedLine): Promise<void> {
    for (let due = clock.untilDue(); due !== null && due <= clock.until(mono); due = clock.untilDue()) {
      clock.advance(due)
      await this.settle()
    }
    clock.advance(Math.max(0, clock.until(mono)))
    clock.show(at)
  }

  private async settle(): Promise<void> {
    for (let turn = 0; turn < settlingTurns; turn++) await setImmediate()
  }

  private published(update: BookUpdate): void {
    if (this.world === null) return
    const core = Buffer.from(update.core)
    this.books.set(update.marketId, { ...update, core })
    this.comparison.publish(update, this.events, this.world.clock.captured())
  }

  private taped(batch: TapeBatch): void {
    if (batch.trades.length > 0)
      this.trades.set(batch.outcomeId, (this.trades.get(batch.outcomeId) ?? 0) + batch.trades.length)
    this.comparison.taped(batch)
  }

  private async end(): Promise<void> {
    const { world } = this
    if (world === null) return
    if (this.finalBooks === null) this.finish()
    await this.leave()
  }

  /** Before the ingest is stopped, which makes every book stale. */
  private finish(): void {
    this.comparison.settle(Number.POSITIVE_INFINITY)
    this.finalBooks = new Map(this.books)
  }

  private async leave(): Promise<void> {
    const { world } = this
    if (world === null) return
    await world.stop()
    this.world = null
    this.comparison.end(this.isStopped)
    world.client.end()
    const { totals } = this
    totals.frames += world.sockets.frames
    totals.unplayed += world.sockets.unplayed + world.sockets.left
    totals.requests += world.client.requests
    totals.unanswered += world.client.unanswered
    totals.unused += world.client.unused
    for (const url of world.client.unansweredUrls) this.unansweredUrls.add(url)
  }

  private report(): ReplayReport {
    const { totals } = this
    return {
      venue: this.run.venue,
      run: this.run.run,
      files: this.run.files.length,
      lines: this.lines,
      frames: totals.frames,
      framesUnplayed: totals.unplayed,
      requests: totals.requests,
      unanswered: totals.unanswered,
      unansweredUrls: [...this.unansweredUrls],
      answersUnused: totals.unused,
      ...countCompared(this.comparison),
      dropped: this.dropped,
      partial: this.partial,
      torn: this.torn,
      final: { books: this.finalBooks ?? new Map(), trades: this.trades },
    }
  }
}

const events: ReadonlySet<string> = new Set([
  ...['pin', 'demand', 'demandAgain', 'open', 'frame', 'closed', 'response', 'failure', 'token', 'chainTrade'],
  'stopping',
])
const isEvent = ({ type }: StampedLine): boolean => events.has(type)
