// Byte-scanner primitives over a Buffer, for venue frames with a known layout. Every read checks its assumptions. On a mismatch it does not
// throw: the caller falls back to JSON.parse. Accepted input equals what JSON.parse and Number() would yield.

/** Bytes of an ASCII literal, built once per module. */
export const ascii = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))

const QUOTE = 34
const MINUS = 45
const DOT = 46
const ZERO = 48
const BACKSLASH = 92
/** 15 digits are exact in a double, and so is their quotient by an exact power of ten: the result is the correctly rounded decimal. */
const exactDigitsMax = 15
const powersOfTen = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15]

/** A cursor over one frame. Reused from frame to frame: it keeps no state between `start` calls. */
export class Scanner {
  bytes: Uint8Array = new Uint8Array(0)
  pos = 0
  end = 0

  start(bytes: Uint8Array): void {
    this.bytes = bytes
    this.pos = 0
    this.end = bytes.length
  }

  /** The byte under the cursor, −1 at the end. */
  peek(): number {
    return this.pos < this.end ? (this.bytes[this.pos] as number) : -1
  }

  /** Steps over `literal` if it is next; otherwise the cursor stays. */
  expect(literal: Uint8Array): boolean {
    const { bytes, pos } = this
    const { length } = literal
    if (pos + length > this.end) return false
    for (let i = 0; i < length; i++) if (bytes[pos + i] !== literal[i]) return false
    this.pos = pos + length
    return true
  }

  /** Steps over one byte if it is next. */
  expectByte(byte: number): boolean {
    if (this.pos >= this.end || this.bytes[this.pos] !== byte) return false
    this.pos++
    return true
  }

  /** Steps past the next `literal`; false (cursor stays) when it does not occur. Slower than `expect`: a search. */
  find(literal: Uint8Array): boolean {
    const { bytes, end } = this
    const { length } = literal
    const first = literal[0]
    for (let at = this.pos; at + length <= end; at++) {
      if (bytes[at] !== first) continue
      let i = 1
      while (i < length && bytes[at + i] === literal[i]) i++
      if (i === length) {
        this.pos = at + length
        return true
      }
    }
    return false
  }

  atEnd(): boolean {
    return this.pos === this.end
  }

  /** A plain decimal in [0,1] with 1 to 6 places (or none) as micros, −1 for anything else. Stops at the first other byte. */
  micros(): number {
    const { bytes, end } = this
    let pos = this.pos
    if (pos >= end) return -1
    const whole = (bytes[pos] as number) - ZERO
    if (whole !== 0 && whole !== 1) return -1
    pos++
    let fraction = 0
    if (pos < end && bytes[pos] === DOT) {
      const from = ++pos
      while (pos < end) {
        const digit = (bytes[pos] as number) - ZERO
        if (digit < 0 || digit > 9) break
        fraction = fraction * 10 + digit
        pos++
      }
      const places = pos - from
      if (places === 0 || places > 6) return -1
      fraction *= powersOfTen[6 - places] as number
    } else if (pos < end) {
      const digit = (bytes[pos] as number) - ZERO
      if (digit >= 0 && digit <= 9) return -1
    }
    if (whole === 1 && fraction !== 0) return -1
    this.pos = pos
    return whole * 1_000_000 + fraction
  }

  /** A signed plain decimal without exponent, exactly `Number(text)`; NaN for anything else or more than 15 digits. */
  double(): number {
    const { bytes, end } = this
    let pos = this.pos
    const negative = pos < end && bytes[pos] === MINUS
    if (negative) pos++
    const from = pos
    let mantissa = 0
    let dot = -1
    while (pos < end) {
      const byte = bytes[pos] as number
      const digit = byte - ZERO
      if (digit >= 0 && digit <= 9) mantissa = mantissa * 10 + digit
      else if (byte === DOT && dot < 0) dot = pos
      else break
      pos++
    }
    const digits = dot < 0 ? pos - from : pos - from - 1
    const places = dot < 0 ? 0 : pos - dot - 1
    // `5.`, `.5`, `05` and 16 or more digits: JSON serializers do not print them, so they are rejected.
    if (digits === 0 || digits > exactDigitsMax || dot === from || (dot >= 0 && places === 0)) return Number.NaN
    if (bytes[from] === ZERO && digits - places > 1) return Number.NaN
    this.pos = pos
    const value = places === 0 ? mantissa : mantissa / (powersOfTen[places] as number)
    return negative ? -value : value
  }

  /** An unsigned integer of at most 15 digits; −1 for anything else. A following dot or exponent is left for the caller to refuse. */
  integer(): number {
    const { bytes, end } = this
    const from = this.pos
    let pos = from
    let value = 0
    while (pos < end) {
      const digit = (bytes[pos] as number) - ZERO
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
      pos++
    }
    const digits = pos - from
    if (digits === 0 || digits > exactDigitsMax || (digits > 1 && bytes[from] === ZERO)) return -1
    this.pos = pos
    return value
  }

  /**
   * The text up to the closing quote (the opening one is already consumed); the cursor moves past it. Null (cursor stays) for escapes, control
   * characters,
   * non-ASCII and missing quotes. `texts` saves the allocation when the same ids recur.
   */
  text(texts?: TextTable): string | null {
    const { bytes, end, pos: from } = this
    let pos = from
    let hash = 0x811c9dc5
    while (pos < end) {
      const byte = bytes[pos] as number
      if (byte === QUOTE) {
        this.pos = pos + 1
        return texts === undefined ? latin1(bytes, from, pos) : texts.take(bytes, from, pos, hash)
      }
      if (byte < 32 || byte > 126 || byte === BACKSLASH) return null
      hash = Math.imul(hash ^ byte, 0x01000193)
      pos++
    }
    return null
  }

  /** Steps over a quoted text without reading it; refuses the same as `text`. */
  skipText(): boolean {
    const { bytes, end } = this
    for (let pos = this.pos; pos < end; pos++) {
      const byte = bytes[pos] as number
      if (byte === QUOTE) {
        this.pos = pos + 1
        return true
      }
      if (byte < 32 || byte > 126 || byte === BACKSLASH) return false
    }
    return false
  }
}

const latin1 = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1')

/** Known texts by their bytes: a fixed number of slots, the newest text of a slot wins, every hit is compared byte for byte. */
export class TextTable {
  private readonly mask: number
  private readonly texts: (string | undefined)[]

  /** `slots`: a power of two, about four times the number of ids in use. */
  constructor(slots: number) {
    if (slots < 1 || (slots & (slots - 1)) !== 0) throw new RangeError(`slots must be a power of two, not ${slots}`)
    this.mask = slots - 1
    this.texts = new Array<string | undefined>(slots).fill(undefined)
  }

  take(bytes: Uint8Array, from: number, to: number, hash: number): string {
    const slot = (hash ^ (hash >>> 15)) & this.mask
    const known = this.texts[slot]
    if (known !== undefined && known.length === to - from) {
      let i = 0
      while (i < known.length && known.charCodeAt(i) === bytes[from + i]) i++
      if (i === known.length) return known
    }
    const text = latin1(bytes, from, to)
    this.texts[slot] = text
    return text
  }
}
