// Messages of a socket whose key is being verified, as they came: parsed only once the sender is known.

/** Approximate size of a subscription with the longest ids. */
const messageBytes = 320

export interface WaitingMessage {
  bytes: Buffer
  isBinary: boolean
}

export class PreAuthQueue {
  private readonly max: number
  private messages: WaitingMessage[] = []
  private from = 0
  private bytes = 0

  constructor(max: number) {
    this.max = max
  }

  get size(): number {
    return this.messages.length - this.from
  }

  /** False when the queue is full. The bytes are copied. */
  push(bytes: Buffer, isBinary: boolean): boolean {
    if (this.size >= this.max || this.bytes + bytes.length > this.max * messageBytes) return false
    this.messages.push({ bytes: Buffer.from(bytes), isBinary })
    this.bytes += bytes.length
    return true
  }

  shift(): WaitingMessage | undefined {
    const next = this.messages[this.from]
    if (next === undefined) return undefined
    this.from++
    this.bytes -= next.bytes.length
    if (this.from === this.messages.length) this.clear()
    return next
  }

  clear(): void {
    this.messages = []
    this.from = 0
    this.bytes = 0
  }
}
