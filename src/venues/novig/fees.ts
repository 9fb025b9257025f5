// Novig's fees: coefficient × contracts × price × (1 − price), of takers alone, rounded half up at the fifth decimal. Each market has its own coefficient
// and says when it is charged; settlement costs nothing. https://docs.novig.com/api/concepts/fees
import type { FeeModel, MarketFees } from '#schemas/fees'
import type { Market } from '#schemas/market'
import { amountOf } from '../shared/data/parsers.ts'

/** As the normalizer stores it in the catalog. */
export interface StoredFee {
  coefficient?: string | number | null | undefined
  charged?: string | null | undefined
}

/** Events in which a market that charges only live play charges nothing. A delay may be before or during the game. */
const notLive: ReadonlySet<unknown> = new Set(['OPEN_PREGAME', 'CLOSED_PREGAME'])

function feeOf({ fee, eventStatus }: { fee?: StoredFee; eventStatus?: unknown }): FeeModel {
  const rate = amountOf(fee?.coefficient)
  if (rate === null) return { kind: 'unknown', reason: 'the row of this market names no fee' }
  if (rate === 0) return { kind: 'none' }
  if (fee?.charged === 'WHEN_LIVE' && notLive.has(eventStatus)) return { kind: 'none' }
  if (fee?.charged === 'ALWAYS' || (fee?.charged === 'WHEN_LIVE' && eventStatus === 'OPEN_INGAME')) {
    return { kind: 'polymarket_curve', rate, exponent: 1 }
  }
  const reason = 'it is not known whether this market charges its fee now'
  return { kind: 'unknown', reason, atMost: { kind: 'quadratic', rate } }
}

export const feeModel = ({ sourceMetadata }: Pick<Market, 'sourceMetadata'>): MarketFees => ({
  fee: feeOf(sourceMetadata),
  settlementFee: { kind: 'none' },
})
