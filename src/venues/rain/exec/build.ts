// An order as the transaction that its owner's wallet signs: a limit order that rests in the pool's book, or an immediate trade for a quoted
// minimum. A buyer spends exactly the amount; a seller gives shares, which must exist or the pool refuses.
import { fromUnits } from '#core/decimal'
import type { Built, LaneContext, OrderTerms } from '../../lane.ts'
import { boundsOf, transactionTo } from './artifact.ts'
import type { OrderBody } from './body.ts'
import { callData, type PoolCall } from './contracts.ts'
import type { CatalogFacts, Facts } from './facts.ts'
import { unverifiedWarning } from './pool.ts'
import { priceDecimals } from './poolChecks.ts'

/** USD₮0 on Arbitrum One. https://github.com/UsamaShafique/rain-sdk-v2 (src/config/environments.ts) */
const dollarToken = '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'.toLowerCase()

export function build(_context: LaneContext, { owner }: OrderBody, facts: Facts): Built {
  const { catalog, call, isOlder, isProven, block, quote } = facts
  const { pool, token } = catalog
  const unsigned = transactionTo(pool, callData(call, isOlder))
  const isDollars = token.address.toLowerCase() === dollarToken
  const isBuy = call.side === 'buy'
  return {
    unsigned,
    terms: termsOf(call, catalog),
    notionalUsd: !isBuy ? '0' : isDollars ? fromUnits(BigInt(call.amount), token.decimals) : null,
    // Each pool has its own, with discounts.
    feeEstimate: null,
    currency: token.symbol,
    bounds: { ...boundsOf(unsigned), decimals: token.decimals, block: block.number, blockHash: block.hash, quote },
    // Its hash is known once it is signed.
    clientRef: null,
    warnings: [...(isProven ? [] : [unverifiedWarning]), ...refusalWarning(facts)],
    owner,
  }
}

/** The wallet may still acquire what it lacks: the build warns and proceeds. */
function refusalWarning({ refusal, call, catalog: { pool, token } }: Facts): string[] {
  if (refusal === null) return []
  const amount = fromUnits(BigInt(call.amount), token.decimals)
  const needs =
    call.side === 'buy' ? `${amount} ${token.symbol}, approved for ${pool}` : `${amount} shares of this outcome`
  return [`sent now it would be refused (${refusal.text.slice(0, 100)}): the owner needs ${needs}`]
}

const one = 10n ** BigInt(priceDecimals)

/** For a market order the worst result: at this price this many shares. */
export function termsOf(call: Extract<PoolCall, { kind: 'limit' | 'market' }>, catalog: CatalogFacts): OrderTerms {
  const { marketId, outcomeId, side: outcomeSide, token } = catalog
  const isBuy = call.side === 'buy'
  const amount = BigInt(call.amount)
  const { price, shares } =
    call.kind === 'limit'
      ? limitTerms(isBuy, amount, BigInt(call.price))
      : worstTerms(isBuy, amount, BigInt(call.minimum))
  return {
    marketId,
    outcomeId,
    outcomeSide,
    isBuy,
    price: fromUnits(price, priceDecimals),
    size: fromUnits(shares, token.decimals),
  }
}

const limitTerms = (isBuy: boolean, amount: bigint, price: bigint) => ({
  price,
  shares: isBuy ? (amount * one) / price : amount,
})

/** Rounded against the caller when not exact. */
const worstTerms = (isBuy: boolean, amount: bigint, minimum: bigint) =>
  isBuy
    ? { price: (amount * one + minimum - 1n) / minimum, shares: minimum }
    : { price: (minimum * one) / amount, shares: amount }
