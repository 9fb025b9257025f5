// Sizes and prices of the tape as numbers, in the fewest digits that represent them exactly.
import { sizeUnits, unitsPerHundredth } from '#storage/clickhouse/columnBuffers'
import { isExact, unsigned } from './int64.ts'
import { putDouble, putHundredths, putMillionths } from './numberFormat.ts'

/** A size of hundredths (the UInt64 at `at`) and millionths. */
export function putSize(out: DataView, to: number, view: DataView, at: number, fine: number): number {
  if (fine === 0 && view.getUint32(at + 4, true) === 0) return putHundredths(out, to, view.getUint32(at, true))
  const units = unsigned(view, at) * unitsPerHundredth + fine
  if (isExact(units)) return putMillionths(out, to, units)
  return putWrapped(out, to, view.getBigUint64(at, true) * BigInt(unitsPerHundredth) + BigInt(fine))
}

/** The UInt64 at `at` in millionths. */
export function putUnits(out: DataView, to: number, view: DataView, at: number): number {
  const units = unsigned(view, at)
  return isExact(units) ? putMillionths(out, to, units) : putWrapped(out, to, view.getBigUint64(at, true))
}

/** As the engine computes it: within 64 bits, then as a double. */
const putWrapped = (out: DataView, to: number, units: bigint): number =>
  putDouble(out, to, Number(BigInt.asUintN(64, units)) / sizeUnits)
