// The repeating parts of a market's changes, remembered verbatim: the opening of a frame up to its first price, and the part between two
// changes. A piece is built by checking every byte once; from then on comparing it proves the same.
//
//   opening    {"market":"0x…","price_changes":[{"asset_id":"…","price":"
//   following  ,{"asset_id":"…","price":"
import type { AssetState } from './assetState.ts'
import { scratch } from './buffers.ts'

const { bytes, view } = scratch

export interface Piece {
  readonly length: number
  /** Overlapping little-endian doubles, every eight bytes and once flush with the end. */
  readonly words: Float64Array
  /** Null: not one of ours. */
  readonly asset: AssetState | null
  /** The piece that followed this one last time. */
  next: Piece | null
}

/** Two to four pieces per market; a later one overwrites an earlier one. A power of two. */
const slotsOfTable = 1_024
const openingHead = Buffer.from('{"market":"')
const openingMiddle = Buffer.from('","price_changes":[{"asset_id":"')
const followingHead = Buffer.from(',{"asset_id":"')
const pieceEnd = Buffer.from('","price":"')
/** `0x` and 64 hex digits; others take the general path. */
const conditionIdLength = 66
const openingIdAt = openingHead.length + conditionIdLength + openingMiddle.length
/** Offset of `pric` of `"price_changes"`. */
const changesAt = openingHead.length + conditionIdLength + openingMiddle.indexOf('pric')
const changesWord = openingMiddle.readInt32LE(openingMiddle.indexOf('pric'))
const followingIdAt = followingHead.length
/** The venue's token ids have up to 78 digits; ids shorter than the 24 bytes that determine the slot are not remembered. */
const idLengthMin = 24
const idLengthMax = 78

export class MessageTemplates {
  private readonly openings = new Array<Piece | null>(slotsOfTable).fill(null)
  private readonly followings = new Array<Piece | null>(slotsOfTable).fill(null)
  private readonly assetOf: (id: string) => AssetState | null

  constructor(assetOf: (id: string) => AssetState | null) {
    this.assetOf = assetOf
  }

  /** The set of our assets has changed. */
  clear(): void {
    this.openings.fill(null)
    this.followings.fill(null)
  }

  /** The opening of the frame in the scratch area; null when it has another form. */
  opening(): Piece | null {
    // Other kinds of frames leave here, before anything is compared.
    if (view.getInt32(changesAt, true) !== changesWord) return null
    const slot = slotAt(openingIdAt)
    const known = this.openings[slot] as Piece | null
    if (known !== null && same(known, 0)) return known
    if (!text(openingHead, 0) || !text(openingMiddle, openingHead.length + conditionIdLength)) return null
    for (let at = openingHead.length; at < openingHead.length + conditionIdLength; at++)
      if (!isAlphanumeric(bytes[at] as number)) return null
    const made = this.make(0, openingIdAt)
    if (made !== null) put(this.openings, slot, made)
    return made
  }

  /** The part at `pos`, after a change; null when it has another form. */
  following(before: Piece, pos: number): Piece | null {
    const expected = before.next
    if (expected !== null && same(expected, pos)) return expected
    const slot = slotAt(pos + followingIdAt)
    let found = this.followings[slot] as Piece | null
    if (found === null || !same(found, pos)) {
      if (!text(followingHead, pos)) return null
      found = this.make(pos, pos + followingIdAt)
      if (found === null) return null
      put(this.followings, slot, found)
    }
    before.next = found
    return found
  }

  private make(from: number, idAt: number): Piece | null {
    let end = idAt
    while (end - idAt <= idLengthMax && isDigit(bytes[end] as number)) end++
    if (end - idAt < idLengthMin || end - idAt > idLengthMax || !text(pieceEnd, end)) return null
    const length = end + pieceEnd.length - from
    const words = new Float64Array(Math.ceil(length / 8))
    for (let i = 0; i < words.length; i++) words[i] = view.getFloat64(from + Math.min(i * 8, length - 8), true)
    const id = Buffer.from(bytes.buffer, idAt, end - idAt).toString('latin1')
    return { length, words, asset: this.assetOf(id), next: null }
  }
}

/** An evicted piece drops its follower: no chain outlives the table. */
function put(table: (Piece | null)[], slot: number, piece: Piece): void {
  const old = table[slot] as Piece | null
  if (old !== null) old.next = null
  table[slot] = piece
}

const isAlphanumeric = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39

function text(expected: Buffer, pos: number): boolean {
  for (let i = 0; i < expected.length; i++) if (bytes[pos + i] !== expected[i]) return false
  return true
}

function same({ words, length }: Piece, pos: number): boolean {
  const last = words.length - 1
  for (let i = 0; i < last; i++) if (view.getFloat64(pos + i * 8, true) !== words[i]) return false
  return view.getFloat64(pos + length - 8, true) === words[last]
}

/** Mixes 12 of the first 24 digits of an id; ids are keccak hashes in decimal. */
function slotAt(id: number): number {
  const mixed =
    Math.imul(view.getInt32(id, true), 0x9e3779b1) ^
    Math.imul(view.getInt32(id + 8, true), 0x85ebca6b) ^
    Math.imul(view.getInt32(id + 16, true), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 15)) & (slotsOfTable - 1)
}
