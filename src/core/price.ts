// Prices inside the program are integer micros: 0 to 1,000,000 millionths of a probability. Never a double until a frame is written.

/** One unit of probability in micros. */
export const ONE = 1_000_000

/**
 * Reads a decimal probability (`"0.4150"`, `".48"`, `"1"`) into micros without going through a double. `null` when it
 * is not a plain decimal in [0,1] with at most six decimals (trailing zeros do not count).
 */
export function parseMicros(text: string): number | null {
  const dot = text.indexOf('.')
  const whole = dot < 0 ? text : text.slice(0, dot)
  const fraction = dot < 0 ? '' : text.slice(dot + 1)
  if (whole === '' && fraction === '') return null
  if (dot >= 0 && fraction === '' && whole === '') return null
  let micros = 0
  for (let i = 0; i < whole.length; i++) {
    const digit = whole.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return null
    micros = micros * 10 + digit
    if (micros > 1) return null
  }
  micros *= ONE
  let unit = ONE / 10
  for (let i = 0; i < fraction.length; i++) {
    const digit = fraction.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return null
    if (i >= 6) {
      if (digit !== 0) return null
      continue
    }
    micros += digit * unit
    unit /= 10
  }
  return micros > ONE ? null : micros
}

/** A double probability in frames, from micros: 415000 becomes 0.415 exactly as `JSON.stringify(0.415)` prints it. */
export const toProbability = (micros: number): number => micros / ONE

/** Shares and contracts are never finer than this part of one. */
const sharePart = 1_000_000

/** Dollars of a trade, the double nearest to the exact product: prints as a person would write it. */
export function usdOf(priceMicros: number, shares: number): number {
  const parts = Math.round(shares * sharePart)
  const exact = priceMicros * parts
  if (exact <= Number.MAX_SAFE_INTEGER) return exact / (ONE * sharePart)
  const product = BigInt(priceMicros) * BigInt(parts)
  const unit = BigInt(ONE * sharePart)
  return Number(`${product / unit}.${(product % unit).toString().padStart(12, '0')}`)
}

/** Micros from a JSON number; `null` outside [0,1] or finer than a millionth. */
export function microsOf(price: number): number | null {
  if (!(price >= 0 && price <= 1)) return null
  const micros = Math.round(price * ONE)
  return Math.abs(micros / ONE - price) < 1e-12 ? micros : null
}
