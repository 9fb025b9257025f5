// Order sizes of a market, in the units used by structures and the dashboard's split.
import { ONE } from '#core/price'
import type { OrderSizes } from '#venues/venue'
import type { StructureMarket } from './input.ts'
import { unitsPerContract } from './position.ts'

export type OrderRule = Pick<StructureMarket, 'stepUnits' | 'minimumUnits' | 'minimumMicros' | 'minimumOtherMicros'>

export function orderRule({ step, minimum, minimumDollars = 0, minimumOtherDollars = 0 }: OrderSizes): OrderRule {
  // A step finer than a hundredth is treated as one.
  const stepUnits = Math.max(1, Math.round(step * unitsPerContract))
  return {
    stepUnits,
    minimumUnits: Math.max(stepUnits, Math.ceil((minimum * unitsPerContract) / stepUnits - 1e-9) * stepUnits),
    minimumMicros: Math.round(minimumDollars * ONE),
    minimumOtherMicros: Math.round(minimumOtherDollars * ONE),
  }
}
