// Numbers and fixed texts as ASCII, several bytes at a time: a page has a hundred thousand numbers, and writing byte by byte costs three times as
// much. Every function writes at `at` and returns the next offset. It may clobber the sixteen bytes after that, which the next write overwrites; a
// row is started only where there is room for them.

/**
 * Up to sixteen bytes of ASCII as two doubles of the same bits: a double is stored in one step. ASCII is never a NaN, whose bits might not survive.
 */
export interface Fixed {
  low: number
  high: number
  length: number
}

export const fixedBytesMax = 16
const scratch = new DataView(new ArrayBuffer(fixedBytesMax))

export function fixed(text: string): Fixed {
  if (!isFixed(text)) throw new Error(`not a short ASCII text: ${text}`)
  for (let i = 0; i < fixedBytesMax; i++) scratch.setUint8(i, i < text.length ? text.charCodeAt(i) : 0x30)
  return { low: scratch.getFloat64(0, true), high: scratch.getFloat64(8, true), length: text.length }
}

export const isFixed = (text: string): boolean => text.length <= fixedBytesMax && /^[\n -~]*$/.test(text)

export function putFixed(view: DataView, at: number, { low, high, length }: Fixed): number {
  view.setFloat64(at, low, true)
  view.setFloat64(at + 8, high, true)
  return at + length
}

/** ASCII of any length, for rare cases. */
export function putText(view: DataView, at: number, text: string): number {
  for (let i = 0; i < text.length; i++) view.setUint8(at + i, text.charCodeAt(i))
  return at + text.length
}

const tenThousand = 10_000
const hundredMillion = 100_000_000
/** Four digits as they lie in memory: `0042`, and `42` followed by anything. */
export const fourDigits = new Uint32Array(tenThousand)
const leftDigits = new Uint32Array(tenThousand)
/** `.5` and `.25`: hundredths after a whole number; nothing for 0. */
const hundredths = new Uint32Array(100)
const hundredthsLength = new Uint8Array(100)
for (let n = 0; n < tenThousand; n++) {
  fourDigits[n] = wordOf(String(n).padStart(4, '0'))
  leftDigits[n] = wordOf(String(n).padEnd(4, '0'))
}
for (let n = 1; n < 100; n++) {
  const text = String(n / 100).slice(1)
  hundredths[n] = wordOf(text.padEnd(4, '0'))
  hundredthsLength[n] = text.length
}

function wordOf(four: string): number {
  for (let i = 0; i < 4; i++) scratch.setUint8(i, four.charCodeAt(i))
  return scratch.getUint32(0, true)
}

function putShort(view: DataView, at: number, n: number): number {
  view.setUint32(at, leftDigits[n]!, true)
  return at + (n < 100 ? (n < 10 ? 1 : 2) : n < 1_000 ? 3 : 4)
}

/** An integer of 0 to 2^53. */
export function putWhole(view: DataView, at: number, n: number): number {
  if (n < tenThousand) return putShort(view, at, n)
  if (n < hundredMillion) {
    const high = Math.floor(n / tenThousand)
    const end = putShort(view, at, high)
    view.setUint32(end, fourDigits[n - high * tenThousand]!, true)
    return end + 4
  }
  const high = Math.floor(n / hundredMillion)
  const low = n - high * hundredMillion
  const middle = Math.floor(low / tenThousand)
  const end = putWhole(view, at, high)
  view.setUint32(end, fourDigits[middle]!, true)
  view.setUint32(end + 4, fourDigits[low - middle * tenThousand]!, true)
  return end + 8
}

/** Hundredths below a million are composed of two table look-ups. */
export const smallHundredths = 100 * tenThousand

/** Hundredths below `smallHundredths`, as `12.5`. */
export function putSmallHundredths(view: DataView, at: number, n: number): number {
  const whole = (n / 100) >>> 0
  const rest = n - whole * 100
  view.setUint32(at, leftDigits[whole]!, true)
  const end = at + (whole < 100 ? (whole < 10 ? 1 : 2) : whole < 1_000 ? 3 : 4)
  view.setUint32(end, hundredths[rest]!, true)
  return end + hundredthsLength[rest]!
}

/** Hundredths of 0 to 2^32, as `12.5`. */
export function putHundredths(view: DataView, at: number, n: number): number {
  const whole = Math.floor(n / 100)
  const rest = n - whole * 100
  const end = putWhole(view, at, whole)
  view.setUint32(end, hundredths[rest]!, true)
  return end + hundredthsLength[rest]!
}

const million = 1_000_000
/**
 * From here on doubles are further apart than millionths, so the shortest text of one is no longer the number itself.
 */
const exactMillionths = 2 ** 33 * million

/** Millionths of either sign, as the shortest text of the nearest double. */
export function putMillionths(view: DataView, at: number, n: number): number {
  if (n < 0) {
    view.setUint8(at, 0x2d)
    return putMillionths(view, at + 1, -n)
  }
  if (n >= exactMillionths) return putDouble(view, at, n / million)
  const whole = Math.floor(n / million)
  const end = putWhole(view, at, whole)
  let rest = n - whole * million
  if (rest === 0) return end
  view.setUint8(end, 0x2e)
  let digits = 6
  while (rest % 10 === 0) {
    rest /= 10
    digits -= 1
  }
  for (let i = digits, left = rest; i > 0; i--) {
    const next = Math.floor(left / 10)
    view.setUint8(end + i, 0x30 + left - next * 10)
    left = next
  }
  return end + 1 + digits
}

/** Any finite double. The engine writes exponents without a plus. */
export const putDouble = (view: DataView, at: number, value: number): number =>
  putText(view, at, String(value).replace('e+', 'e'))

/** The same for a double that is nearly always a whole number of millionths. */
export function writeQuotient(view: DataView, at: number, value: number): number {
  const n = Math.round(value * million)
  return Math.abs(n) < exactMillionths && n / million === value
    ? putMillionths(view, at, n)
    : putDouble(view, at, value)
}

/** Texts of whole-tick prices, 0 to 1: eight bytes suffice for each. */
export const barsMax = tenThousand
const microsPerTick = 100
export const tickText = new Float64Array(barsMax + 1)
export const tickLength = new Uint8Array(barsMax + 1)
for (let tick = 0; tick <= barsMax; tick++) {
  const { low, length } = fixed(String(tick / barsMax))
  tickText[tick] = low
  tickLength[tick] = length
}

/** A price of `tick` ticks and `fine` millionths; as the other side sees it when `mirrored`. */
export function putPrice(view: DataView, at: number, tick: number, fine: number, mirrored: boolean): number {
  if (fine === 0 && tick <= barsMax) {
    const shown = mirrored ? barsMax - tick : tick
    view.setFloat64(at, tickText[shown]!, true)
    return at + tickLength[shown]!
  }
  const micros = tick * microsPerTick + fine
  return putMillionths(view, at, mirrored ? million - micros : micros)
}

/** Times with a common prefix are within this many ms. */
export const timeSpan = tenThousand

/** Times on a page differ in their last four digits: the prefix before those is cached. */
export class TimeText {
  /** First time with the cached prefix, ms. NaN: none. */
  begin = Number.NaN
  low = 0
  high = 0
  length = 0

  /** A time of 0 to 2^53 ms. */
  put(view: DataView, at: number, ms: number): number {
    if (ms < timeSpan) return putShort(view, at, ms)
    let after = ms - this.begin
    if (!(after >= 0 && after < timeSpan)) after = this.keep(ms)
    view.setFloat64(at, this.low, true)
    view.setFloat64(at + 8, this.high, true)
    const end = at + this.length
    view.setUint32(end, fourDigits[after]!, true)
    return end + 4
  }

  private keep(ms: number): number {
    const first = Math.floor(ms / timeSpan)
    const { low, high, length } = fixed(String(first))
    this.begin = first * timeSpan
    this.low = low
    this.high = high
    this.length = length
    return ms - this.begin
  }
}
