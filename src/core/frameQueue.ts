// Frames of one subscription that must arrive in order: sent at once while the socket takes them, otherwise queued, bounded. The caller
// decides what a full queue means.

export interface FrameQueueOptions {
  /** False: the socket does not take it now. */
  send(frame: Buffer): boolean
  framesMax: number
  bytesMax: number
}

export class FrameQueue {
  private readonly options: FrameQueueOptions
  private waiting: Buffer[] = []
  private bytes = 0

  constructor(options: FrameQueueOptions) {
    this.options = options
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0
  }

  /** False: more is queued than is allowed. */
  push(frame: Buffer): boolean {
    if (this.isEmpty && this.options.send(frame)) return true
    this.waiting.push(frame)
    this.bytes += frame.length
    return this.waiting.length <= this.options.framesMax && this.bytes <= this.options.bytesMax
  }

  /** Sends what is queued, as far as the socket takes it. */
  drain(): void {
    let sent = 0
    while (sent < this.waiting.length && this.options.send(this.waiting[sent]!))
      this.bytes -= this.waiting[sent++]!.length
    if (sent > 0) this.waiting.splice(0, sent)
  }

  clear(): void {
    this.waiting = []
    this.bytes = 0
  }
}
