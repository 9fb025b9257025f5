// 64-bit integers out of the engine's columns. Nearly all are small enough for a double; what is not goes the long way, and is told exactly all the same.
import { putText, putWhole, type TimeText } from './digits.ts'

const two32 = 2 ** 32
/** High halves from here on make integers that a double may not hold. */
const exactHigh = 2 ** 21

/** NaN where a double does not hold it, so that sums and products of it are not taken for exact either. */
export function unsigned(view: DataView, at: number): number {
  const high = view.getUint32(at + 4, true)
  return high < exactHigh ? high * two32 + view.getUint32(at, true) : Number.NaN
}

/** The same of an Int64. */
export function signed(view: DataView, at: number): number {
  const high = view.getInt32(at + 4, true)
  return high >= -exactHigh && high < exactHigh ? high * two32 + view.getUint32(at, true) : Number.NaN
}

export const isExact = (value: number): boolean => value >= 0 && value <= Number.MAX_SAFE_INTEGER

/** The UInt64 at `from` as a time. */
export function putTime(out: DataView, at: number, times: TimeText, view: DataView, from: number): number {
  const ms = unsigned(view, from)
  return isExact(ms) ? times.put(out, at, ms) : putText(out, at, String(view.getBigUint64(from, true)))
}

/** The UInt64 at `from`. */
export function putLong(out: DataView, at: number, view: DataView, from: number): number {
  const value = unsigned(view, from)
  return isExact(value) ? putWhole(out, at, value) : putText(out, at, String(view.getBigUint64(from, true)))
}

/** The UInt64 at `from` and the Int64 at `delayAt` as a time: the sum of both, or with a `sign` of -1 their difference. As the engine counts, within 64 bits. */
export function putShifted(
  out: DataView,
  at: number,
  times: TimeText,
  view: DataView,
  from: number,
  delayAt: number,
  sign: 1 | -1,
): number {
  const ms = unsigned(view, from) + sign * signed(view, delayAt)
  return isExact(ms) ? times.put(out, at, ms) : putText(out, at, String(shifted(view, from, delayAt, sign)))
}

export const shifted = (view: DataView, from: number, delayAt: number, sign: 1 | -1): bigint =>
  BigInt.asIntN(64, view.getBigUint64(from, true) + BigInt(sign) * view.getBigInt64(delayAt, true))

/** As a position of the tape has them. */
export const timeAt = (view: DataView, from: number): number => Number(view.getBigUint64(from, true))
export const shiftedAt = (view: DataView, from: number, delayAt: number, sign: 1 | -1): number =>
  Number(shifted(view, from, delayAt, sign))
