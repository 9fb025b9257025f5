// The order sizes that each venue accepts, by the program's own rules. Null: unknown, or it depends on the price.
import type { Market } from '#schemas/market'
import type { BuiltVenue } from '#schemas/venues'
import { orderSizes as gemini } from '#venues/gemini/orderSizes'
import { orderSizes as hyperliquid } from '#venues/hyperliquid/orderSizes'
import { orderSizes as kalshi } from '#venues/kalshi/orderSizes'
import { orderSizes as novig } from '#venues/novig/orderSizes'
import { orderSizes as pascal } from '#venues/pascal/orderSizes'
import { orderSizes as polymarket } from '#venues/polymarket/orderSizes'
import { orderSizes as polymarketUs } from '#venues/polymarket_us/orderSizes'
import { orderSizes as predictfun } from '#venues/predictfun/orderSizes'
import { orderSizes as sxbet } from '#venues/sxbet/orderSizes'
import type { OrderSizes } from '#venues/venue'

const rules: Partial<Record<BuiltVenue, (market: Pick<Market, 'sourceMetadata'>) => OrderSizes | null>> = {
  polymarket,
  kalshi,
  gemini,
  polymarket_us: polymarketUs,
  sxbet,
  hyperliquid,
  predictfun,
  novig,
  pascal,
}

export const orderSizesOf = ({
  sourceExchange,
  sourceMetadata,
}: Pick<Market, 'sourceExchange' | 'sourceMetadata'>): OrderSizes | null =>
  Object.hasOwn(rules, sourceExchange) ? (rules[sourceExchange as BuiltVenue]?.({ sourceMetadata }) ?? null) : null
