// Reads the calldata of `matchOrders`, word by word: only what determines the fills, ignoring the rest. The bytes are untrusted: pointers out of
// bounds, arrays of impossible length, and anything no contract would accept are rejected. Not with a general ABI decoder, which crafted
// calldata can keep busy for seconds.
// https://docs.soliditylang.org/en/latest/abi-spec.html
export interface MatchedOrder {
  /** Lower case. */
  maker: string
  tokenId: bigint
  makerAmount: bigint
  takerAmount: bigint
  sells: boolean
}

/** Amounts are in what the order gives: pUSD for a buy, shares for a sell. */
export interface MatchCall {
  taker: MatchedOrder
  takerFill: bigint
  makers: { order: MatchedOrder; fill: bigint }[]
}

/** Positions of the arguments, in words. */
export interface MatchLayout {
  taker: number
  makers: number
  takerFill: number
  makerFills: number
  /** Positions in the order's tuple. */
  order: { maker: number; tokenId: number; makerAmount: number; takerAmount: number; side: number }
}

/** A block has no room for more. */
export const makersMax = 256
/** Nodes reject transactions beyond 128 KiB. */
const callBytesMax = 128 * 1024
const selectorChars = 10
const wordChars = 64
const wordBytes = 32
const addressChars = 40

class Unreadable extends Error {}

/** `input`: lower-case hex including the selector. Null: unreadable. */
export function readMatchCall(input: string, { order, ...at }: MatchLayout): MatchCall | null {
  if (input.length > callBytesMax * 2 || !/^0x[0-9a-f]*$/.test(input)) return null
  const words = Math.floor((input.length - selectorChars) / wordChars)

  function word(place: number): string {
    if (place >= words) throw new Unreadable()
    const begin = selectorChars + place * wordChars
    return input.slice(begin, begin + wordChars)
  }
  const amount = (place: number): bigint => BigInt(`0x${word(place)}`)

  /** A pointer counts bytes from `base`; no encoder produces one that is not a whole word. */
  function pointer(place: number, base: number): number {
    const bytes = amount(place)
    if (bytes > callBytesMax || bytes % BigInt(wordBytes) !== 0n) throw new Unreadable()
    return base + Number(bytes) / wordBytes
  }

  function orderAt(tuple: number): MatchedOrder {
    const side = amount(tuple + order.side)
    if (side > 1n) throw new Unreadable()
    return {
      maker: `0x${word(tuple + order.maker).slice(-addressChars)}`,
      tokenId: amount(tuple + order.tokenId),
      makerAmount: amount(tuple + order.makerAmount),
      takerAmount: amount(tuple + order.takerAmount),
      sells: side === 1n,
    }
  }

  try {
    const [makers, fills] = [pointer(at.makers, 0), pointer(at.makerFills, 0)]
    const count = amount(makers)
    if (count === 0n || count > makersMax || amount(fills) !== count) return null
    return {
      taker: orderAt(pointer(at.taker, 0)),
      takerFill: amount(at.takerFill),
      makers: Array.from({ length: Number(count) }, (_, i) => ({
        order: orderAt(pointer(makers + 1 + i, makers + 1)),
        fill: amount(fills + 1 + i),
      })),
    }
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}
