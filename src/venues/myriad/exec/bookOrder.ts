// An order for an order book, as unsigned typed data for its exchange.

import { toUnits } from '#core/decimal'
import type { Built, LaneContext } from '../../lane.ts'
import { invalid } from '../../shared/exec/amounts.ts'
import { incomplete } from '../../shared/exec/catalogFacts.ts'
import { clobWords } from '../../shared/exec/orderOptions.ts'
import type { Hex } from '../../shared/exec/typedOrder.ts'
import { priceDecimals, readPrice, readSize } from './amounts.ts'
import { boundsOf } from './artifact.ts'
import type { OrderBody } from './body.ts'
import type { CatalogFacts } from './catalogFacts.ts'
import { shareDecimals } from './contracts.ts'
import { riskOf } from './poolExposure.ts'
import { chainId, exchange, type OrderMessage, order, orderHash } from './typedData.ts'

export function buildBookOrder({ clock, randomBytes }: LaneContext, body: OrderBody, facts: CatalogFacts): Built {
  const { marketId, outcomeId, side: outcomeSide, networkId, decimals, venueOutcomeId } = facts
  const { isBuy, owner, expiresAt, timeInForce } = body
  if (networkId !== chainId || decimals !== shareDecimals || (venueOutcomeId !== 0 && venueOutcomeId !== 1)) {
    throw incomplete('myriad', marketId, `an order book of ${decimals} decimals on ${networkId}`)
  }
  if (expiresAt !== 0 && expiresAt * 1_000 <= clock.now()) throw invalid('expiresAt', 'is over already')
  const price = readPrice(body.price)
  const size = readSize(body.size, shareDecimals)
  const message: OrderMessage = {
    trader: owner.toLowerCase() as Hex,
    marketId: facts.venueMarketId,
    outcomeId: venueOutcomeId,
    side: isBuy ? 0 : 1,
    amount: toUnits(size, shareDecimals).toString(),
    price: toUnits(price, priceDecimals).toString(),
    minFillAmount: '0',
    nonce: nonceOf(randomBytes(8)),
    expiration: String(expiresAt),
  }
  const terms = { marketId, outcomeId, outcomeSide, isBuy, price, size }
  const unsigned = {
    ...order.unsigned(message, exchange),
    post: { network_id: chainId, time_in_force: clobWords[timeInForce] },
  }
  return {
    unsigned,
    terms,
    notionalUsd: riskOf(terms, facts.collateral),
    // Its tiers are only known to a contract.
    feeEstimate: null,
    currency: facts.collateral,
    bounds: boundsOf(unsigned),
    clientRef: orderHash(message),
    warnings: [],
    owner,
  }
}

/** 53 random bits: distinguish two orders with the same terms. */
const nonceOf = (bytes: Uint8Array): string => (Buffer.from(bytes).readBigUInt64BE(0) >> 11n).toString()
