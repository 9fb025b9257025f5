// Describes an artifact to its signer. Its calldata contains neither the pool's token nor its decimals.
import { fromUnits } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { ArtifactSummary } from '../../lane.ts'
import { describedOptions } from '../../shared/exec/orderOptions.ts'
import { readArtifact } from './artifact.ts'
import type { PoolCall } from './contracts.ts'
import { priceDecimals } from './poolChecks.ts'

export function describe(unsigned: JsonObject): ArtifactSummary {
  const { to, call } = readArtifact(unsigned)
  const market = `${to}:${call.option}`
  if (call.kind === 'cancel') return { intent: 'cancel', orderId: call.orderId }
  if (call.kind === 'redeem') return { intent: 'redeem', instrument: market }
  const isBuy = call.side === 'buy'
  const { price, cash, shares } = call.kind === 'limit' ? atLimit(call, isBuy) : atOnce(call, isBuy)
  return {
    intent: 'order',
    instrument: `${market}:${call.optionSide}`,
    instrumentIs: 'outcomeId',
    outcomeSide: null,
    isBuy,
    price: fromUnits(price, priceDecimals),
    inUnits: true,
    size: String(shares),
    // A seller gives shares, which must exist or the pool refuses.
    costMax: isBuy ? String(cash) : '0',
    bringsMin: isBuy ? null : String(cash),
    currency: null,
    fee: null,
    timeInForce: call.kind === 'limit' ? 'good-til-cancel' : 'fill-or-kill',
    expiresAt: call.kind === 'limit' ? null : Number(call.deadline) * 1_000,
    ...(call.kind === 'limit' && describedOptions({ postOnly: call.postOnly })),
  }
}

interface DescribedOrder {
  /** Of 1e18. */
  price: bigint
  cash: bigint
  shares: bigint
}

const one = 10n ** BigInt(priceDecimals)

/** A buyer names cash, a seller shares. */
function atLimit(call: Extract<PoolCall, { kind: 'limit' }>, isBuy: boolean): DescribedOrder {
  const [price, amount] = [BigInt(call.price), BigInt(call.amount)]
  return isBuy
    ? { price, cash: amount, shares: (amount * one) / price }
    : { price, cash: (amount * price) / one, shares: amount }
}

/** The same, with the minimum received; the price is the worst possible. */
function atOnce(call: Extract<PoolCall, { kind: 'market' }>, isBuy: boolean): DescribedOrder {
  const [amount, minimum] = [BigInt(call.amount), BigInt(call.minimum)]
  return isBuy
    ? { price: (amount * one + minimum - 1n) / minimum, cash: amount, shares: minimum }
    : { price: (minimum * one) / amount, cash: minimum, shares: amount }
}
