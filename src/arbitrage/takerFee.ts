// A taker's fee for one contract at one price, also where a venue's schedule says only how high it can be.
import type { FeeCeiling, FeeModel } from '#schemas/fees'
import { compileFee, feeOfLevels } from './fees.ts'
import { unitsPerContract } from './table.ts'

/** Enough that rounding hardly changes the fee of one. */
const contracts = 100

/** For a market of unknown fees whose venue publishes no rate: the highest rate of the published curves, on the whole of the cheaper side. */
const highestFee: FeeCeiling = { kind: 'cheaper_side', rate: 0.07 }

/** Dollars per contract bought at `price`; of an unknown model, the most it can be. */
export function takerFeeAt(model: FeeModel, price: number): number {
  if (model.kind === 'unknown') return mostAt(model.atMost ?? highestFee, price)
  const program = compileFee(model)
  if (program.mode === 'unknown') return mostAt(highestFee, price)
  const taken = { micros: Math.round(price * 1e6), units: contracts * unitsPerContract }
  return feeOfLevels(program, [taken], unitsPerContract) / 1e6 / contracts
}

function mostAt({ kind, rate }: FeeCeiling, price: number): number {
  switch (kind) {
    case 'quadratic':
      return rate * price * (1 - price)
    case 'cheaper_side':
      return rate * Math.min(price, 1 - price)
    case 'notional':
      return rate * price
  }
}
