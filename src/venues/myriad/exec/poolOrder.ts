// An order at a pool: one transaction, sent by the wallet that pays. The caller's price and size are limits enforced by the contract: a buyer
// pays price × size and gets at least that many shares, a seller gets price × size and gives at most that many, or nothing is traded.
import { fromUnits, multiplyDecimals, roundDecimal, toUnits } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { Built } from '../../lane.ts'
import { invalid } from '../../shared/exec/amounts.ts'
import { incomplete } from '../../shared/exec/catalogFacts.ts'
import { type Pool, sharesBought, sharesSold } from '../data/pool.ts'
import { readPrice, readSize } from './amounts.ts'
import { boundsOf } from './artifact.ts'
import type { OrderBody } from './body.ts'
import type { CatalogFacts } from './catalogFacts.ts'
import { predictionMarketOf, tradeCalldata } from './contracts.ts'
import { riskOf } from './poolExposure.ts'
import type { PoolQuote } from './quote.ts'

export function buildPoolOrder(
  body: OrderBody,
  facts: CatalogFacts,
  { row, quote }: { row: Pool; quote: PoolQuote | null },
): Built {
  const { marketId, outcomeId, side: outcomeSide, collateral, decimals } = facts
  const { isBuy, owner } = body
  if (body.expiresAt !== 0) throw invalid('expiresAt', 'a trade with a pool is one transaction, which does not expire')
  if (body.selected !== undefined && body.selected !== 'fill-or-kill') {
    throw invalid('timeInForce', 'a trade with a pool is one transaction: fill-or-kill')
  }
  const { price, size, value, shares } = amountsOf(body, decimals)
  checkGiven(isBuy, { value, shares }, { now: quote ?? quoteOf(isBuy, row, value), facts })
  const to = predictionMarketOf(facts.networkId)
  if (to === null) throw incomplete('myriad', marketId, `a pool on ${facts.networkId}`)
  const trade = { isBuy, marketId: BigInt(facts.venueMarketId), outcomeId: BigInt(facts.venueOutcomeId), value, shares }
  const terms = { marketId, outcomeId, outcomeSide, isBuy, price, size }
  const unsigned = { to, data: tradeCalldata(trade), value: '0', chainId: facts.networkId }
  const cash = fromUnits(value, decimals)
  return {
    unsigned,
    terms,
    notionalUsd: riskOf(terms, collateral),
    feeEstimate: feeEstimate(isBuy, value, row.fee, facts),
    currency: collateral,
    bounds: { ...boundsOf(unsigned), decimals },
    clientRef: null,
    warnings: [
      isBuy
        ? `the owner must send this on chain ${facts.networkId}, and must first have approved ${to} for ${cash} ${collateral}`
        : `the owner must send this on chain ${facts.networkId}`,
    ],
    owner,
  }
}

/**
 * Base units, in addition to the decimal strings. Cash beyond the token's decimals is cut from what a buyer pays, and added to what a
 * seller gets.
 */
export function amountsOf(
  { isBuy, ...given }: Pick<OrderBody, 'isBuy' | 'price' | 'size'>,
  decimals: number,
): { price: string; size: string; value: bigint; shares: bigint } {
  const price = readPrice(given.price)
  const size = readSize(given.size, decimals)
  const cash = roundDecimal(multiplyDecimals(price, size), decimals, isBuy ? 'down' : 'up')
  const value = toUnits(cash, decimals)
  if (value === 0n) throw invalid('size', 'is worth less than the smallest part of its collateral')
  return { price, size, value, shares: toUnits(size, decimals) }
}

/** By the venue's row, which names no block. */
const quoteOf = (isBuy: boolean, row: Pool, value: bigint): { shares: bigint | null; block?: number } => ({
  shares: isBuy ? sharesBought(row, value) : sharesSold(row, value),
})

/** A trade that the pool would refuse now costs its sender the gas. Throws VALIDATION_ERROR. */
function checkGiven(
  isBuy: boolean,
  { value, shares }: { value: bigint; shares: bigint },
  { now, facts: { collateral, decimals } }: { now: { shares: bigint | null; block?: number }; facts: CatalogFacts },
): void {
  if (now.shares !== null && (isBuy ? now.shares >= shares : now.shares <= shares)) return
  const cash = `${fromUnits(value, decimals)} ${collateral}`
  const sharesText = now.shares === null ? 'nothing' : `${fromUnits(now.shares, decimals)} shares`
  const when = now.block === undefined ? 'now' : `at block ${now.block}`
  throw invalid('price', `for ${cash} the pool ${isBuy ? 'gives' : 'wants'} ${sharesText} ${when}`)
}

/** The pool's own, which is included in the price. */
function feeEstimate(isBuy: boolean, value: bigint, fee: bigint, { collateral, decimals }: CatalogFacts): JsonObject {
  const one = 10n ** 18n
  const gross = isBuy ? value : (value * one) / (one - fee)
  return {
    model: 'value × (fee + treasury fee + distributor fee), inside of the price',
    currency: collateral,
    rate: fromUnits(fee, 18),
    taker: fromUnits(isBuy ? (value * fee) / one : gross - value, decimals),
  }
}
