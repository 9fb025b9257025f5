// An order as unsigned typed data for the V2 exchange its token belongs to.
import { compareDecimals } from '#lib/decimal'
import { Fault } from '#lib/fault'
import type { Built, LaneContext } from '../../lane.ts'
import { moneyAtRisk } from '../../shared/moneyAtRisk.ts'
import { amountsOf } from './amounts.ts'
import { orderArtifact } from './artifact.ts'
import type { OrderBody } from './body.ts'
import { exchanges } from './contracts.ts'
import { expiryAheadMs } from './expiry.ts'
import type { Facts } from './facts.ts'
import { feeEstimate } from './fees.ts'
import { type OrderMessage, orderHash } from './typedData.ts'

const regionWarning =
  'polymarket does not serve every region: hosted submit may be refused where it goes out; the signed order can be sent from elsewhere'

export function build({ clock, randomBytes }: LaneContext, body: OrderBody, facts: Facts): Built {
  const { catalog, tick, fee, sizeMin } = facts
  const { price, size, makerAmount, takerAmount } = amountsOf(body.isBuy, body.price, body.size, tick)
  if (sizeMin !== null && compareDecimals(size, sizeMin) < 0) {
    throw new Fault('VALIDATION_ERROR', `size: polymarket takes ${sizeMin} shares at least here`)
  }
  if (body.expiresAt !== 0 && body.expiresAt * 1_000 <= clock.now() + expiryAheadMs) {
    throw new Fault(
      'VALIDATION_ERROR',
      'expiresAt: must lie more than three minutes ahead: polymarket refuses nearer ones, and ends an order a minute before',
    )
  }
  const exchange = catalog.negRisk ? exchanges.negRisk : exchanges.normal
  const message: OrderMessage = {
    salt: saltOf(randomBytes(8)),
    maker: body.funder ?? body.owner,
    signer: body.owner,
    tokenId: catalog.tokenId,
    makerAmount,
    takerAmount,
    side: body.isBuy ? 0 : 1,
    signatureType: body.signatureType,
    timestamp: String(clock.now()),
    metadata: body.metadata,
    builder: body.builder,
  }
  const { marketId, tokenId, side, conditionId } = catalog
  const { maker, signer, signatureType } = message
  return {
    unsigned: orderArtifact(exchange, message, body.expiresAt),
    terms: { marketId, outcomeId: tokenId, outcomeSide: side, isBuy: body.isBuy, price, size },
    // A seller gives shares, which are there or the exchange takes nothing.
    notionalUsd: moneyAtRisk({ isBuy: body.isBuy, price, size, closesOnly: !body.isBuy }),
    feeEstimate: feeEstimate(fee, price, size, body.builder),
    bounds: {
      kind: 'order',
      exchange,
      tokenId,
      conditionId,
      side: message.side,
      maker,
      signer,
      signatureType,
      makerAmount,
      takerAmount,
      tick,
      expiresAt: body.expiresAt,
    },
    clientRef: orderHash(message, exchange),
    warnings: [regionWarning],
    owner: body.owner,
  }
}

/** 53 random bits: posted as a JSON number. */
export const saltOf = (bytes: Uint8Array): string => (Buffer.from(bytes).readBigUInt64BE(0) >> 11n).toString()
