// Many calls in one by Multicall3's aggregate3, each of which may fail alone. Encoded and decoded by hand: half a hundred rounds in a general decoder
// block
// the thread for milliseconds. Bytes in any encoding other than the compilers' are rejected.
// https://www.multicall3.com https://docs.soliditylang.org/en/latest/abi-spec.html

/** The same address on every chain that has it. */
export const multicall = '0xcA11bde05977b3631167028862bE2a173976CA11'
export const aggregate3 = '82ad56cb'
/** Time of the block at which the calls are answered, epoch s. */
export const getCurrentBlockTimestamp = '0f28c97d'

const wordBytes = 32
const wordDigits = 64

export interface BatchCall {
  target: `0x${string}`
  /** Hex without 0x. */
  data: string
}

export const wordOf = (value: number | bigint): string => value.toString(16).padStart(wordDigits, '0')
const inWords = (digits: number): number => Math.ceil(digits / wordDigits)

export function encodeBatch(calls: readonly BatchCall[]): `0x${string}` {
  const tuples = calls.map(({ target, data }) => {
    const padded = data.padEnd(inWords(data.length) * wordDigits, '0')
    return `${target.slice(2).toLowerCase().padStart(wordDigits, '0')}${wordOf(1)}${wordOf(3 * wordBytes)}${wordOf(data.length / 2)}${padded}`
  })
  let offset = calls.length * wordBytes
  const heads = tuples.map((tuple) => {
    const head = wordOf(offset)
    offset += tuple.length / 2
    return head
  })
  return `0x${aggregate3}${wordOf(wordBytes)}${wordOf(calls.length)}${heads.join('')}${tuples.join('')}`
}

/**
 * Each call's return data, hex without 0x; null for a reverted one. Null for bytes that are not exactly this many results. `returned`:
 * lower case.
 */
export function decodeBatch(returned: string, count: number): (string | null)[] | null {
  const words = new Words(returned.slice(2))
  if (words.small(0) !== wordBytes || words.small(1) !== count) return null
  const results: (string | null)[] = []
  /** After the count, in bytes. */
  let offset = count * wordBytes
  for (let n = 0; n < count; n++) {
    const at = 2 + offset / wordBytes
    const [isDone, length] = [words.small(at), words.small(at + 2)]
    if (words.small(2 + n) !== offset || words.small(at + 1) !== 2 * wordBytes || length === null) return null
    const data = words.bytes(at + 3, length)
    if (data === null || (isDone !== 0 && isDone !== 1)) return null
    results.push(isDone === 1 ? data : null)
    offset += (3 + inWords(length * 2)) * wordBytes
  }
  return words.digits === (2 + offset / wordBytes) * wordDigits ? results : null
}

/** Null unless it is a single text. */
export function decodeText(data: string): string | null {
  const words = new Words(data)
  const length = words.small(0) === wordBytes ? words.small(1) : null
  const bytes = length === null ? null : words.bytes(2, length)
  if (bytes === null || words.digits !== (2 + inWords(bytes.length)) * wordDigits) return null
  return Buffer.from(bytes, 'hex').toString()
}

/** The words of an answer with exactly this many; null for any other. */
export const decodeWords = (data: string, count: number): bigint[] | null =>
  data.length === count * wordDigits
    ? Array.from({ length: count }, (_, n) => BigInt(`0x${data.slice(n * wordDigits, (n + 1) * wordDigits)}`))
    : null

class Words {
  private readonly hex: string

  constructor(hex: string) {
    this.hex = hex
  }

  get digits(): number {
    return this.hex.length
  }

  /** A length or an offset; null when larger than any answer, or missing. */
  small(at: number): number | null {
    const word = this.hex.slice(at * wordDigits, (at + 1) * wordDigits)
    return word.length === wordDigits && zeros.test(word) ? Number.parseInt(word.slice(-8), 16) : null
  }

  /** Null when incomplete, or not padded with zeros. */
  bytes(at: number, length: number): string | null {
    const from = at * wordDigits
    const filled = this.hex.slice(from, from + inWords(length * 2) * wordDigits)
    if (filled.length !== inWords(length * 2) * wordDigits) return null
    return /^0*$/.test(filled.slice(length * 2)) ? filled.slice(0, length * 2) : null
  }
}
const zeros = /^0{56}/
