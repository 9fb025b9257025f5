// Rain's fills: logs of a pool, with shares and what was paid for them in the base token. Both have the decimals of
// that token, which the build recorded: without them the stored numbers are in base units of unknown decimals. The
// pool's fees are in no log that is read.
import type { JsonObject } from '#schemas/executions'
import type { FilledOrder, NormalizedFill } from '../../lane.ts'
import { decimalIn, normalizedFill } from '../../shared/exec/normalizedFill.ts'

export function readFill(fill: JsonObject, { bounds }: FilledOrder): NormalizedFill | null {
  if (typeof bounds.decimals !== 'number') return null
  return normalizedFill({ size: decimalIn(fill.size), cash: decimalIn(fill.baseAmount), fee: null })
}
