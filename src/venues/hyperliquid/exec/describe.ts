// Describes an artifact to its signer. It does not say in which token an outcome is quoted.
import type { JsonObject } from '#schemas/executions'
import type { ArtifactSummary } from '../../lane.ts'
import { describedOptions } from '../../shared/exec/orderOptions.ts'
import { describeLimit } from '../../shared/exec/summarizeArtifact.ts'
import { cancelledIn, findOrder, optionsOf, readArtifact } from './artifact.ts'
import { coinOf, encodingOfAsset, sideOf } from './asset.ts'

export function describe(unsigned: JsonObject): ArtifactSummary {
  const { action } = readArtifact(unsigned)
  const order = findOrder(action)
  if (order === null) return { intent: 'cancel', orderId: String(cancelledIn(action)!.reference) }
  const { a: asset, b: isBuy, p: price, s: size, c: clientOrderId } = order
  const options = optionsOf(order)
  const encoding = encodingOfAsset(asset)
  return describeLimit({
    ...(action.type === 'batchModify'
      ? ({ intent: 'modify', orderId: String(action.modifies[0]!.oid) } as const)
      : ({ intent: 'order' } as const)),
    instrument: coinOf(encoding),
    instrumentIs: 'outcomeId',
    outcomeSide: sideOf(encoding),
    isBuy,
    price,
    size,
    currency: null,
    // Outcomes are spot tokens: a seller delivers tokens held.
    closesOnly: !isBuy,
    fee: null,
    timeInForce: options.timeInForce,
    expiresAt: null,
    ...describedOptions({ ...options, clientOrderId }),
  })
}
