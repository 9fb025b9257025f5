// Describes an artifact to its sender. The wire has the long side's price; the description has the price of the outcome that is bought or
// sold.
import { subtractDecimals } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { ArtifactSummary } from '../../lane.ts'
import { describedOptions } from '../../shared/exec/orderOptions.ts'
import { describeLimit } from '../../shared/exec/summarizeArtifact.ts'
import { isCancel, optionsOf, readArtifact } from './artifact.ts'

export function describe(unsigned: JsonObject): ArtifactSummary {
  const artifact = readArtifact(unsigned)
  if (isCancel(artifact)) return { intent: 'cancel', orderId: artifact.orderId }
  const { marketSlug, intent, price, quantity } = artifact
  const options = optionsOf(artifact)
  const isLong = intent.endsWith('_LONG')
  return describeLimit({
    intent: 'order',
    instrument: marketSlug,
    instrumentIs: 'marketId',
    outcomeSide: isLong ? 'YES' : 'NO',
    isBuy: intent.startsWith('ORDER_INTENT_BUY'),
    price: isLong ? price.value : subtractDecimals('1', price.value),
    size: String(quantity),
    currency: price.currency,
    // No documentation says that the venue refuses to sell what is not held.
    closesOnly: false,
    fee: null,
    timeInForce: options.timeInForce,
    expiresAt: options.expiresAt === 0 ? null : options.expiresAt * 1_000,
    ...describedOptions(options),
  })
}
