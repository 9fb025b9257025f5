// The fees of each venue, by the program's own models: where a model is not certain, the fee is unknown here, too.
import './zodNoEval.ts'
import type { MarketFees } from '#schemas/fees'
import type { Market } from '#schemas/market'
import type { BuiltVenue } from '#schemas/venues'
import { feeModel as gemini } from '#venues/gemini/fees'
import { feeModel as hyperliquid } from '#venues/hyperliquid/fees'
import { feeModel as kalshi } from '#venues/kalshi/fees'
import { feeModel as limitless } from '#venues/limitless/fees'
import { feeModel as myriad } from '#venues/myriad/fees'
import { feeModel as novig } from '#venues/novig/fees'
import { feeModel as opinion } from '#venues/opinion/fees'
import { feeModel as pascal } from '#venues/pascal/fees'
import { feeModel as polymarket } from '#venues/polymarket/fees'
import { feeModel as polymarketUs } from '#venues/polymarket_us/fees'
import { feeModel as pred } from '#venues/pred/fees'
import { feeModel as predictfun } from '#venues/predictfun/fees'
import { feeModel as predictstreet } from '#venues/predictstreet/fees'
import { feeModel as rain } from '#venues/rain/fees'
import { feeModel as sxbet } from '#venues/sxbet/fees'
import { feeModel as xo } from '#venues/xo/fees'

const models: Readonly<Record<BuiltVenue, (market: Pick<Market, 'sourceMetadata'>) => MarketFees>> = {
  polymarket,
  kalshi,
  opinion,
  gemini,
  polymarket_us: polymarketUs,
  sxbet,
  myriad,
  hyperliquid,
  pred,
  predictfun,
  predictstreet,
  novig,
  limitless,
  pascal,
  xo,
  rain,
}

export function feesOf({
  sourceExchange,
  sourceMetadata,
}: Pick<Market, 'sourceExchange' | 'sourceMetadata'>): MarketFees {
  if (Object.hasOwn(models, sourceExchange)) return models[sourceExchange as BuiltVenue]({ sourceMetadata })
  const unknown = { kind: 'unknown', reason: 'no fee model for this venue' } as const
  return { fee: unknown, settlementFee: unknown }
}
