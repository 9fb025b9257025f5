// A list inside a JSON response that is too long to keep in memory: its objects are parsed one by one from the chunks as they arrive, so no caller
// waits for the whole, and memory holds only one row.
const quote = 0x22
const backslash = 0x5c
const [open, close, listOpen, listClose] = [0x7b, 0x7d, 0x5b, 0x5d]

/** A longer row is treated as malformed. */
const rowBytesMax = 64 * 1024

export interface StreamingJsonArray {
  /** Throws a SyntaxError for invalid JSON. */
  push(piece: Buffer): void
  /** Throws when the list is incomplete. */
  end(): void
}

/** `name`: the member of the response that holds the list. */
export function longList(name: string, onRow: (row: unknown) => void): StreamingJsonArray {
  const opening = Buffer.from(`"${name}"`)
  let before = Buffer.alloc(0)
  let place: 'before' | 'in' | 'behind' = 'before'
  let depth = 0
  let inText = false
  let escaped = false
  /** Pieces of a row that began in an earlier chunk. */
  let held: Buffer[] = []
  let heldBytes = 0

  const row = (last: Buffer): void => {
    const bytes = held.length === 0 ? last : Buffer.concat([...held, last])
    held = []
    heldBytes = 0
    onRow(JSON.parse(bytes.toString()))
  }

  const readRows = (piece: Buffer): void => {
    let start = depth > 0 ? 0 : -1
    for (let i = 0; i < piece.length; i++) {
      const byte = piece[i]!
      if (inText) {
        if (escaped) escaped = false
        else if (byte === backslash) escaped = true
        else if (byte === quote) inText = false
      } else if (byte === quote) inText = true
      else if (byte === open || byte === listOpen) {
        if (depth++ === 0) start = i
      } else if (byte === close || byte === listClose) {
        if (depth === 0) {
          place = 'behind'
          return
        }
        if (--depth === 0) {
          row(piece.subarray(start, i + 1))
          start = -1
        }
      }
    }
    if (start < 0) return
    held.push(Buffer.from(piece.subarray(start)))
    heldBytes += piece.length - start
    if (heldBytes > rowBytesMax) throw new SyntaxError('a row exceeds the maximum length')
  }

  return {
    push(piece) {
      if (place === 'behind') return
      if (place === 'in') return readRows(piece)
      const seen = Buffer.concat([before, piece])
      const at = seen.indexOf(opening)
      const start = at < 0 ? -1 : seen.indexOf(listOpen, at + opening.length)
      if (start >= 0) {
        place = 'in'
        before = Buffer.alloc(0)
        readRows(seen.subarray(start + 1))
      } else if (at >= 0 && seen.length - at > rowBytesMax) throw new SyntaxError(`${name} is not a list`)
      else before = seen.subarray(at < 0 ? Math.max(0, seen.length - opening.length) : at)
    },
    end() {
      if (place !== 'behind') throw new SyntaxError(`the list ${name} does not end`)
    },
  }
}
