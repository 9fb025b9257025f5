// Where lines are written: pieces of memory that are handed on when full. A row never lies in two of them.

/** Some two thousand rows: few enough messages a page, and little memory of a page on its way. */
export const chunkBytes = 256 * 1024

/** Not of Node's pool, which is never handed on, and not cleared: what was not written is not handed on either. */
const fresh = (bytes: number): Uint8Array<ArrayBuffer> => Buffer.allocUnsafeSlow(bytes)

export class Chunks {
  view: DataView
  /** Where the next byte goes. */
  at = 0
  private memory = fresh(chunkBytes)
  private full: Uint8Array<ArrayBuffer>[] = []

  constructor() {
    this.view = new DataView(this.memory.buffer)
  }

  get bytes(): Uint8Array {
    return this.memory
  }

  /** Makes room for a row of at most so many bytes. */
  reserve(bytes: number): void {
    if (this.at + bytes <= this.memory.length) return
    this.close()
    this.memory = fresh(Math.max(chunkBytes, bytes))
    this.view = new DataView(this.memory.buffer)
  }

  /** What was written since the last time, each piece in memory of its own. */
  take(): Uint8Array<ArrayBuffer>[] {
    // The memory stays for the next rows; a copy of what is in it is small, or the piece is nearly full.
    if (this.at > 0) this.full.push(new Uint8Array(this.memory.subarray(0, this.at)))
    this.at = 0
    return this.full.splice(0)
  }

  private close(): void {
    if (this.at > 0) this.full.push(this.memory.subarray(0, this.at))
    this.at = 0
  }
}
