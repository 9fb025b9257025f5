// A paced replay of the tape. Nothing is dropped: a slow reader pauses the service, and after a reconnect the replay continues at the same
// position.
import { CrossbookError } from '../errors.ts'
import type { ClientOp, ReplayFrame, ServerFrame } from './frames.ts'
import { ReplayPosition } from './replayPosition.ts'
import { Subscription, type Wire } from './subscription.ts'

export type ReplayOptions = Omit<Extract<ClientOp, { op: 'subscribeReplay' }>, 'op'>

/** Frames that may still arrive after the pause was requested. */
const inFlightMax = 200_000

const isReplay = (frame: ServerFrame): frame is ReplayFrame => 'replay' in frame

export class ReplaySubscription extends Subscription<ReplayFrame> {
  private readonly options: ReplayOptions
  private readonly highWater: number
  private readonly place = new ReplayPosition()
  /** Over all runs: the service counts each run from zero. */
  private readonly books = new Map<string, number>()
  private frames = 0
  private isHeld = false
  private isPaused = false

  constructor(wire: Wire, options: ReplayOptions) {
    super('replay', wire, wire.bufferMax + inFlightMax)
    this.options = options
    this.highWater = wire.bufferMax
  }

  /** Until `resume`, also after a reconnect. */
  pause(): void {
    this.isPaused = true
    this.wire.send({ op: 'pauseReplay' })
  }

  resume(): void {
    this.isPaused = false
    if (!this.isHeld) this.wire.send({ op: 'resumeReplay' })
  }

  protected subscribeMessage(): ClientOp {
    return { op: 'subscribeReplay', ...this.options, since: this.place.resume(this.options.since) }
  }

  protected unsubscribeMessage(): ClientOp {
    return { op: 'unsubscribeReplay' }
  }

  protected received(frame: ServerFrame) {
    if (!isReplay(frame)) return
    this.resetBackoff()
    if (frame.type === 'replayPaused' || frame.type === 'replayResumed') return this.paused(frame)
    if ('at' in frame && !this.place.isNew(frame)) return
    this.emit(this.counted(frame))
    if (frame.type === 'replayEnd') {
      this.wire.leave(this)
      return this.over(null)
    }
    if (this.queue.size > this.highWater + inFlightMax - 1)
      return this.fail(new CrossbookError('the replay did not pause, and its reader is too slow'))
    if (this.queue.size > this.highWater && !this.isHeld) this.hold()
  }

  protected override onAcknowledged(): void {
    if (this.isPaused) this.wire.send({ op: 'pauseReplay' })
  }

  protected override read(waiting: number): void {
    if (!this.isHeld || waiting > this.highWater / 4) return
    this.isHeld = false
    if (!this.isPaused) this.wire.send({ op: 'resumeReplay' })
  }

  protected forget(): void {
    // A new run begins unpaused.
    this.isHeld = false
  }

  private hold(): void {
    this.isHeld = true
    if (!this.isPaused) this.wire.send({ op: 'pauseReplay' })
  }

  private paused(frame: ReplayFrame): void {
    if (frame.type === 'replayPaused' ? this.isPaused : !this.isHeld) this.emit(this.counted(frame))
  }

  private counted(frame: ReplayFrame): ReplayFrame {
    if (!('at' in frame)) return { ...frame, data: { ...frame.data, frames: this.frames } }
    if (frame.type === 'replayGap') return frame
    this.frames++
    if (frame.type === 'trade') return frame
    const market = JSON.stringify([frame.venue, frame.marketId])
    const sequence = (this.books.get(market) ?? 0) + 1
    this.books.set(market, sequence)
    return { ...frame, type: sequence === 1 ? 'snapshot' : 'update', sequence }
  }
}
