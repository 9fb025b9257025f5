// One outcome whose payout can be collected, from the journal or from what a venue shows, with the body that redeems it.
import { multiplyDecimals } from '#core/decimal'
import type { Market } from '#schemas/market'
import type { Redeemable } from '#schemas/redeemable'
import { holdersRedeem } from '../journal/settlements.ts'
import type { PortfolioDeps } from '../ports.ts'
import { isoOf } from '../routes/shapes.ts'

export interface HeldShares {
  venue: string
  marketId: string | null
  outcomeId: string
  quantity: string
  /** Of a share; null: unknown. */
  payout: string | null
  currency: string | null
  provenance: Redeemable['provenance']
  /** Epoch ms. */
  asOf: number
}

interface RowPorts {
  lanes: PortfolioDeps['lanes']
  /** The wallet that holds the shares; null: unknown. */
  wallet: string | null
}

/** `market`: the catalog's; null: it does not know it, or did not answer. */
export function redeemableRow({ lanes, wallet }: RowPorts, held: HeldShares, market: Market | null): Redeemable {
  const { payout, quantity, asOf, ...same } = held
  const redeem = lanes.get(held.venue)?.redeem
  return {
    ...same,
    market: market?.title ?? null,
    label: market?.outcomes.find(({ outcomeId }) => outcomeId === held.outcomeId)?.label ?? null,
    quantity,
    payout,
    amount: payout === null ? null : multiplyDecimals(quantity, payout),
    paysItself: !holdersRedeem.has(held.venue),
    asOf: isoOf(asOf),
    ...buildOf(redeem, held, market, wallet),
  }
}

type Redeem = NonNullable<ReturnType<PortfolioDeps['lanes']['get']>>['redeem']

function buildOf(
  redeem: Redeem,
  { venue, outcomeId, quantity }: HeldShares,
  market: Market | null,
  wallet: string | null,
): Pick<Redeemable, 'build' | 'obstacle'> {
  const none = (reason: NonNullable<Redeemable['obstacle']>['reason'], detail: string) => ({
    build: null,
    obstacle: { reason, detail },
  })
  if (!holdersRedeem.has(venue)) return none('pays_itself', `${venue} pays without a claim`)
  if (redeem === undefined) return none('not_supported', `no redemption is built here for ${venue}`)
  if (market === null) return none('market_unknown', 'the catalog does not know this market, or did not answer')
  const why = redeem.obstacle?.(market) ?? null
  if (why !== null) return none('not_supported', why)
  if (wallet === null) {
    return none('wallet_unknown', 'the journal does not know which wallet holds the shares: name it with wallet')
  }
  const body = {
    asset: outcomeId,
    owner: wallet,
    ...(redeem.needsAmount?.(market) === true && { amount: quantity }),
  }
  if (!redeem.body.safeParse(body).success) return none('wallet_not_supported', `${venue} takes another kind of wallet`)
  return { build: { intent: 'redeem', ...body }, obstacle: null }
}
