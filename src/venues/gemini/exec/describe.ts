// Describes an artifact to its sender.
import { readDecimal } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { ArtifactSummary } from '../../lane.ts'
import { describedOptions } from '../../shared/exec/orderOptions.ts'
import { describeLimit } from '../../shared/exec/summarizeArtifact.ts'
import { optionsOf, readArtifact } from './artifact.ts'
import { paths } from './wire.ts'

export function describe(unsigned: JsonObject): ArtifactSummary {
  const artifact = readArtifact(unsigned)
  if (artifact.request === paths.cancel) return { intent: 'cancel', orderId: artifact.orderId }
  const { symbol, side, outcome, quantity, price } = artifact
  const options = optionsOf(artifact)
  return describeLimit({
    intent: 'order',
    instrument: symbol,
    outcomeSide: outcome === 'yes' ? 'YES' : 'NO',
    isBuy: side === 'buy',
    price: readDecimal(price)!,
    size: quantity,
    currency: 'USD',
    // No documentation says that the venue refuses to sell what is not held.
    closesOnly: false,
    fee: null,
    timeInForce: options.timeInForce,
    expiresAt: null,
    ...describedOptions(options),
  })
}
