// Reads ClickHouse's Native format: one block after the other, column by column. Numbers stay as they lie in memory, so nothing is copied: a column
// is a view of its values. Names and types are checked against the requested ones.

/** In `SELECT` order. */
export interface NativeShape {
  name: string
  type: NativeType
}
export type NativeType = keyof typeof widthOf | 'String' | 'Nullable(String)'

const widthOf = { UInt8: 1, Int8: 1, UInt16: 2, UInt32: 4, UInt64: 8, Int64: 8, Float64: 8 } as const

/** The engine returned other columns or types than requested. */
export class UnknownColumns extends Error {}

export interface ReadColumn {
  /** For numbers: offset of the first one. For nullable texts: offset of the flags. */
  at: number
  /** For texts: start and end of each. */
  starts: Uint32Array
  ends: Uint32Array
}

export interface ReadBlock {
  rows: number
  bytes: Uint8Array
  view: DataView
  columns: readonly ReadColumn[]
}

/** A block of the widest rows has a few megabytes; anything larger than this is not a block. */
const blockBytesMax = 64 * 1024 * 1024
const nothing = new Uint8Array(0)
const noTexts = new Uint32Array(0)

export class NativeReader {
  private readonly shape: readonly NativeShape[]
  private bytes: Uint8Array = nothing
  private at = 0
  private isFirst = true

  constructor(shape: readonly NativeShape[]) {
    this.shape = shape
  }

  /** Bytes that do not form a whole block yet. */
  get open(): number {
    return this.bytes.length - this.at
  }

  /** Bytes as they arrive; the reader owns them until their blocks were taken. */
  push(bytes: Uint8Array): void {
    const rest = this.bytes.subarray(this.at)
    if (rest.length + bytes.length > blockBytesMax) throw new Error('a block of the tape is larger than any should be')
    this.at = 0
    if (rest.length === 0) {
      this.bytes = bytes
      return
    }
    this.bytes = Buffer.allocUnsafeSlow(rest.length + bytes.length)
    this.bytes.set(rest)
    this.bytes.set(bytes, rest.length)
  }

  /** The next block; null until it is complete. */
  next(): ReadBlock | null {
    if (this.open === 0) return null
    const { buffer, byteOffset, byteLength } = this.bytes
    const cursor = new Cursor(new DataView(buffer, byteOffset, byteLength), this.at)
    try {
      const block = this.read(cursor)
      this.at = cursor.at
      this.isFirst = false
      return block
    } catch (error) {
      if (error === tooShort) return null
      throw error
    }
  }

  private read(cursor: Cursor): ReadBlock {
    const { shape, bytes } = this
    const count = cursor.varint()
    const rows = cursor.varint()
    if (count !== shape.length) this.refuse(`${count} columns instead of ${shape.length}`)
    const columns = shape.map((wanted) => {
      const name = cursor.text(bytes)
      const type = cursor.text(bytes)
      if (name !== wanted.name || type !== wanted.type)
        this.refuse(`${name} ${type} instead of ${wanted.name} ${wanted.type}`)
      return readColumn(cursor, wanted.type, rows)
    })
    return { rows, bytes, view: cursor.view, columns }
  }

  /** After a block that was understood, a server that fails writes its error. */
  private refuse(what: string): never {
    if (this.isFirst) throw new UnknownColumns(what)
    throw new Error(`the tape broke off between two blocks: ${what}`)
  }
}

function readColumn(cursor: Cursor, type: NativeType, rows: number): ReadColumn {
  const { at } = cursor
  if (type !== 'String' && type !== 'Nullable(String)') {
    cursor.skip(rows * widthOf[type])
    return { at, starts: noTexts, ends: noTexts }
  }
  if (type === 'Nullable(String)') cursor.skip(rows)
  const starts = new Uint32Array(rows)
  const ends = new Uint32Array(rows)
  for (let row = 0; row < rows; row++) {
    const length = cursor.varint()
    starts[row] = cursor.at
    cursor.skip(length)
    ends[row] = cursor.at
  }
  return { at, starts, ends }
}

/** Thrown and caught here: the rest has not arrived yet. */
const tooShort = new Error('more bytes are needed')

class Cursor {
  at: number
  readonly view: DataView

  constructor(view: DataView, at: number) {
    this.view = view
    this.at = at
  }

  skip(bytes: number): void {
    if (this.at + bytes > this.view.byteLength) throw tooShort
    this.at += bytes
  }

  varint(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      if (factor > 2 ** 35) throw new Error('not a length of the native format')
      const { at } = this
      this.skip(1)
      const byte = this.view.getUint8(at)
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }

  text(bytes: Uint8Array): string {
    const length = this.varint()
    const { at } = this
    this.skip(length)
    return String.fromCharCode(...bytes.subarray(at, at + length))
  }
}
