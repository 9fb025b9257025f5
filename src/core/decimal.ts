// Exact decimals for execution: text in, text out, bigint between. `0.45 - 0.4` is `0.05` here.
//
// Canonical text: no exponent, no sign except a leading minus, no leading zero except one before the point, no trailing zero
// after it.

const plain = /^-?\d{1,40}(\.\d{1,40})?$/

export type Rounding = 'down' | 'up' | 'halfEven'

interface Scaled {
  units: bigint
  scale: number
}

/**
 * A caller's number or text as canonical text; null when it is not a plain decimal. Exponents are refused, in text and in numbers.
 */
export function readDecimal(value: number | string): string | null {
  const text = typeof value === 'number' ? String(value) : value
  return plain.test(text) ? print(scaled(text)) : null
}

/** Number of units at `scale` digits after the point. Throws RangeError when digits would be lost. */
export function toUnits(text: string, scale: number): bigint {
  const value = scaled(text)
  if (value.scale <= scale) return value.units * power(scale - value.scale)
  const factor = power(value.scale - scale)
  if (value.units % factor !== 0n) throw new RangeError(`${text} has more than ${scale} digits behind the point`)
  return value.units / factor
}

export const fromUnits = (units: bigint, scale: number): string => print({ units, scale })

export function compareDecimals(a: string, b: string): -1 | 0 | 1 {
  const [x, y] = aligned(a, b)
  return x < y ? -1 : x > y ? 1 : 0
}

export function addDecimals(a: string, b: string): string {
  const [x, y, scale] = aligned(a, b)
  return print({ units: x + y, scale })
}

export function subtractDecimals(a: string, b: string): string {
  const [x, y, scale] = aligned(a, b)
  return print({ units: x - y, scale })
}

export function multiplyDecimals(a: string, b: string): string {
  const x = scaled(a)
  const y = scaled(b)
  return print({ units: x.units * y.units, scale: x.scale + y.scale })
}

/** The exact quotient, rounded once to `places` digits after the point. */
export function divideDecimals(a: string, b: string, places: number, rounding: Rounding): string {
  const [x, y] = aligned(a, b)
  if (y === 0n) throw new RangeError('division by zero')
  const [dividend, divisor] = y < 0n ? [-x, -y] : [x, y]
  const scaledUp = dividend * power(places)
  const below = floorDivide(scaledUp, divisor)
  const rest = scaledUp - below * divisor
  return print({ units: below + (roundsUp(rest, divisor, below, rounding) ? 1n : 0n), scale: places })
}

/** The nearest multiple of `step` in the given direction; `down` and `up` are towards minus and plus infinity. */
export function toStep(text: string, step: string, rounding: Rounding): string {
  const [value, by, scale] = aligned(text, step)
  if (by <= 0n) throw new RangeError(`${step} is not a step`)
  const below = floorDivide(value, by)
  const rest = value - below * by
  return print({ units: (below + (roundsUp(rest, by, below, rounding) ? 1n : 0n)) * by, scale })
}

export const isOnStep = (text: string, step: string): boolean => compareDecimals(toStep(text, step, 'down'), text) === 0

export const roundDecimal = (text: string, places: number, rounding: Rounding): string =>
  toStep(text, print({ units: 1n, scale: places }), rounding)

function roundsUp(rest: bigint, by: bigint, below: bigint, rounding: Rounding): boolean {
  if (rest === 0n || rounding === 'down') return false
  if (rounding === 'up') return true
  const twice = rest * 2n
  return twice > by || (twice === by && below % 2n !== 0n)
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by
  return value % by < 0n ? quotient - 1n : quotient
}

function aligned(a: string, b: string): [bigint, bigint, number] {
  const x = scaled(a)
  const y = scaled(b)
  const scale = Math.max(x.scale, y.scale)
  return [raised(x, scale), raised(y, scale), scale]
}

const raised = ({ units, scale }: Scaled, to: number): bigint => (scale === to ? units : units * power(to - scale))

const powers = Array.from({ length: 64 }, (_, exponent) => 10n ** BigInt(exponent))
const power = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent)

const zero = '0'.charCodeAt(0)
const dot = '.'.charCodeAt(0)
/** Texts of at most this many characters have a safe integer as units. */
const shortMax = 15

/** Null: it must be read in full. */
function scaledShort(text: string): Scaled | null {
  let units = 0
  let point = -1
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - zero
    if (digit >= 0 && digit <= 9) units = units * 10 + digit
    else if (digit === dot - zero && point === -1 && i > 0) point = i
    else return null
  }
  if (point === text.length - 1) return null
  return { units: BigInt(units), scale: point === -1 ? 0 : text.length - point - 1 }
}

function scaled(text: string): Scaled {
  const short = text.length > 0 && text.length <= shortMax ? scaledShort(text) : null
  if (short !== null) return short
  if (!plain.test(text)) throw new RangeError('not a plain decimal')
  const point = text.indexOf('.')
  if (point < 0) return { units: BigInt(text), scale: 0 }
  return { units: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 }
}

function print({ units, scale }: Scaled): string {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const point = digits.length - scale
  let end = digits.length
  while (end > point && digits.charCodeAt(end - 1) === zero) end -= 1
  const whole = sign + digits.slice(0, point)
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`
}
