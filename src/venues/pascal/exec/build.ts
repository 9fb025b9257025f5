// An order as a permit for the owner's trading key.
import { subtractDecimals, toUnits } from '#core/decimal'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import { checkBetween, checkStep, decimalOf, readContracts } from '../../shared/exec/amounts.ts'
import { cancellation, orderIdOf } from '../../shared/exec/cancelModifyBody.ts'
import { ownerOf } from '../../shared/exec/signature.ts'
import { moneyAtRisk } from '../../shared/exposure.ts'
import { boundsOf, cancelArtifact, type OrderRequest, orderArtifact, readArtifact } from './artifact.ts'
import type { CancelBody, OrderBody } from './body.ts'
import type { Facts } from './facts.ts'
import { metadata, recvWindowMaxMs } from './permit.ts'

export function build({ clock, randomBytes }: LaneContext, body: OrderBody, facts: Facts): Built {
  const { symbol, outcomeId, side: outcomeSide, tick, deploymentId } = facts
  const { isBuy, owner, signer, postOnly, reduceOnly = false } = body
  const price = readPrice(body.price, tick)
  const size = readContracts('size', body.size, sizeMax)
  const request: OrderRequest = {
    client_order_id: body.clientOrderId ?? newClientOrderId(randomBytes(8)),
    symbol,
    side: isBuy === (outcomeSide === 'YES') ? 'BID' : 'ASK',
    price: sixDecimals(outcomeSide === 'YES' ? price : subtractDecimals('1', price)),
    size,
    metadata: String(metadata) as OrderRequest['metadata'],
    ...(postOnly && { post_only: true as const }),
    ...(reduceOnly && { reduce_only: true as const }),
    auth: authOf(clock.now(), owner, signer),
  }
  const unsigned = orderArtifact(deploymentId, request)
  const terms = { marketId: symbol, outcomeId, outcomeSide, isBuy, price, size }
  return {
    unsigned,
    terms,
    // Without reduce-only, positions may go below zero: selling what is not held means buying the other side.
    notionalUsd: moneyAtRisk({ ...terms, closesOnly: reduceOnly }),
    // The formula is known, but not its rounding nor an account's discounts.
    feeEstimate: null,
    bounds: { ...boundsOf(unsigned), tick },
    clientRef: request.client_order_id,
    warnings: [],
    owner,
  }
}

/** A permit of its own, made now: the order's has long expired. */
export async function buildCancel(
  { clock }: LaneContext,
  target: LaneExecution,
  { signer }: CancelBody,
): Promise<Built> {
  const { deploymentId } = readArtifact(target.unsigned)
  const owner = ownerOf('pascal', target)
  const clientOrderId = orderIdOf('pascal', target)
  const unsigned = cancelArtifact(deploymentId, {
    client_order_id: clientOrderId,
    metadata: String(metadata) as OrderRequest['metadata'],
    auth: authOf(clock.now(), owner, signer),
  })
  return cancellation({ unsigned, bounds: boundsOf(unsigned), clientRef: clientOrderId, owner })
}

const authOf = (nowMs: number, owner: string, signer: string): OrderRequest['auth'] => ({
  client_ts_ms: String(nowMs),
  recv_window_ms: String(recvWindowMaxMs) as OrderRequest['auth']['recv_window_ms'],
  owner,
  signer,
})

/** The permit has room for 2^64 of them. */
const sizeMax = '1000000000000'

function readPrice(given: number | string, tick: string): string {
  const price = decimalOf('price', given)
  checkBetween('price', price, tick, subtractDecimals('1', tick))
  checkStep('price', price, tick)
  return price
}

const sixDecimals = (price: string): string => `0.${toUnits(price, 6).toString().padStart(6, '0')}`

/** Within 53 bits, and never 0. */
const newClientOrderId = (bytes: Uint8Array): string => ((Buffer.from(bytes).readBigUInt64BE(0) >> 11n) | 1n).toString()
