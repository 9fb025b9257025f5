// Output memory for lines: chunks that are handed on when full. A row never spans two of them.

/** About two thousand rows: few messages per page, and little memory per page in flight. */
export const chunkBytes = 256 * 1024

/** Not from Node's pool, which cannot be transferred. Not zeroed: unwritten bytes are never handed on. */
const fresh = (bytes: number): Uint8Array<ArrayBuffer> => Buffer.allocUnsafeSlow(bytes)

export class Chunks {
  view: DataView
  /** Offset of the next byte. */
  at = 0
  private memory = fresh(chunkBytes)
  private full: Uint8Array<ArrayBuffer>[] = []

  constructor() {
    this.view = new DataView(this.memory.buffer)
  }

  get bytes(): Uint8Array {
    return this.memory
  }

  /** Reserves space for a row of at most `bytes` bytes. */
  reserve(bytes: number): void {
    if (this.at + bytes <= this.memory.length) return
    this.close()
    this.memory = fresh(Math.max(chunkBytes, bytes))
    this.view = new DataView(this.memory.buffer)
  }

  /** Everything written since the last call, each chunk in its own memory. */
  take(): Uint8Array<ArrayBuffer>[] {
    // The memory is kept for the next rows: copying its content is cheap, or the chunk is nearly full.
    if (this.at > 0) this.full.push(new Uint8Array(this.memory.subarray(0, this.at)))
    this.at = 0
    return this.full.splice(0)
  }

  private close(): void {
    if (this.at > 0) this.full.push(this.memory.subarray(0, this.at))
    this.at = 0
  }
}
