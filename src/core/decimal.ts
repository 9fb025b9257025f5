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
  if (value.scale <= scale) return value.units * 10n ** BigInt(scale - value.scale)
  const factor = 10n ** BigInt(value.scale - scale)
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
  const scaledUp = dividend * 10n ** BigInt(places)
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
  return [x.units * 10n ** BigInt(scale - x.scale), y.units * 10n ** BigInt(scale - y.scale), scale]
}

function scaled(text: string): Scaled {
  if (!plain.test(text)) throw new RangeError('not a plain decimal')
  const point = text.indexOf('.')
  if (point < 0) return { units: BigInt(text), scale: 0 }
  return { units: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 }
}

function print({ units, scale }: Scaled): string {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`
}
