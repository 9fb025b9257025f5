// Writes ClickHouse's RowBinary into a growing buffer. It knows types, not tables.

const initialBytes = 16 * 1024
const two32 = 2 ** 32

export class RowBinary {
  private buffer: Buffer
  private view: DataView
  private length = 0

  constructor() {
    this.buffer = Buffer.allocUnsafe(initialBytes)
    this.view = viewOf(this.buffer)
  }

  get byteLength(): number {
    return this.length
  }

  /** The rows so far. The writer must not be used afterwards. */
  finish(): Buffer {
    return this.buffer.subarray(0, this.length)
  }

  /** Reserves space for a row's fixed part; call once per row with an upper bound, then write without further checks. */
  reserve(bytes: number): void {
    if (this.length + bytes <= this.buffer.length) return
    const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + bytes))
    this.buffer.copy(grown, 0, 0, this.length)
    this.buffer = grown
    this.view = viewOf(grown)
  }

  uint8(value: number): void {
    this.buffer[this.length++] = value
  }

  uint16(value: number): void {
    this.view.setUint16(this.length, value, true)
    this.length += 2
  }

  uint32(value: number): void {
    this.view.setUint32(this.length, value, true)
    this.length += 4
  }

  /** Integers up to 2^53. */
  uint64(value: number): void {
    this.view.setUint32(this.length, value % two32, true)
    this.view.setUint32(this.length + 4, value / two32, true)
    this.length += 8
  }

  int64(value: number): void {
    this.view.setUint32(this.length, value >>> 0, true)
    this.view.setInt32(this.length + 4, Math.floor(value / two32), true)
    this.length += 8
  }

  float64(value: number): void {
    this.view.setFloat64(this.length, value, true)
    this.length += 8
  }

  /** Length and UTF-8 bytes; reserves its own space. */
  text(value: string): void {
    const bytes = Buffer.byteLength(value)
    this.reserve(bytes + 5)
    this.varint(bytes)
    this.length += this.buffer.write(value, this.length)
  }

  nullableText(value: string | null): void {
    this.reserve(1)
    this.uint8(value === null ? 1 : 0)
    if (value !== null) this.text(value)
  }

  /** Element count of an array. */
  count(value: number): void {
    this.reserve(5)
    this.varint(value)
  }

  /** Bytes already in RowBinary. */
  raw(bytes: Buffer): void {
    this.reserve(bytes.length)
    this.buffer.set(bytes, this.length)
    this.length += bytes.length
  }

  private varint(value: number): void {
    let rest = value
    while (rest > 127) {
      this.uint8((rest & 127) | 128)
      rest >>>= 7
    }
    this.uint8(rest)
  }
}

const viewOf = (buffer: Buffer): DataView => new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength)
