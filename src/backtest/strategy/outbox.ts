// Frames on their way to the sockets of a strategy, in order.

export interface FrameReceiver {
  deliver(frame: object): void
}

export class Outbox {
  /** The first `count` entries of both lists wait; the lists are kept for later frames. */
  private readonly receivers: FrameReceiver[] = []
  private readonly frames: object[] = []
  private count = 0

  push(receiver: FrameReceiver, frame: object): void {
    this.receivers[this.count] = receiver
    this.frames[this.count] = frame
    this.count += 1
  }

  /** False: there was none. What a delivery causes waits for the next call. */
  deliver(): boolean {
    const { receivers, frames, count } = this
    if (count === 0) return false
    for (let i = 0; i < count; i++) receivers[i]!.deliver(frames[i]!)
    if (this.count > count) {
      receivers.copyWithin(0, count, this.count)
      frames.copyWithin(0, count, this.count)
    }
    this.count -= count
    return true
  }
}
