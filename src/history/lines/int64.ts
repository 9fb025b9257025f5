// 64-bit integers from the engine's columns. Nearly all fit a double; the rest take the slow path and are still written exactly.
import { putText, putWhole, type TimeText } from './numberFormat.ts'

const two32 = 2 ** 32
/** From this high half on, an integer may not fit a double. */
const exactHigh = 2 ** 21

/** NaN where a double cannot hold it, so that sums and products of it are not mistaken for exact either. */
export function unsigned(view: DataView, at: number): number {
  const high = view.getUint32(at + 4, true)
  return high < exactHigh ? high * two32 + view.getUint32(at, true) : Number.NaN
}

/** The same for an Int64. */
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

/** The UInt64 at `from` plus the Int64 at `delayAt` as a time, or with a `sign` of -1 their difference. Wraps at 64 bits like the engine. */
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

/** In the form of a tape position. */
export const timeAt = (view: DataView, from: number): number => Number(view.getBigUint64(from, true))
export const shiftedAt = (view: DataView, from: number, delayAt: number, sign: 1 | -1): number =>
  Number(shifted(view, from, delayAt, sign))
