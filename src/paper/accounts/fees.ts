// What a paper fill costs: the venue's published model on each fill, rounded on the sum of an order. Where the venue publishes only the most
// that a taker pays, that is charged; where it publishes nothing, nothing is. Makers pay the rate that the market names for them, and
// otherwise nothing. All fees are paid in cash.
import {
  addDecimals,
  compareDecimals,
  multiplyDecimals,
  type Rounding,
  readDecimal,
  roundDecimal,
  subtractDecimals,
} from '#core/decimal'
import type { FeeCeiling, FeeModel } from '#schemas/fees'
import type { Market } from '#schemas/market'

/** Of a market, as stored with an order. */
export interface PaperFeeModel {
  taker: FeeModel
  /** Rate of makers in the taker's formula; null: they pay nothing. */
  makerRate: number | null
}

export interface FeeQuestion {
  price: string
  size: string
  liquidity: 'taker' | 'maker'
}

/** Digits kept before rounding. */
const exactPlaces = 30
/** Of models without a rounding of their own. */
const ceilingPlaces = 6
const half = '0.5'

/** The rate that the market names for makers, as a number or as text. */
export function paperFeesOf(market: Pick<Market, 'sourceMetadata'>, taker: FeeModel): PaperFeeModel {
  const fees = market.sourceMetadata.fees as { makerRate?: unknown; maker?: unknown } | null | undefined
  const named = typeof fees === 'object' ? (fees?.makerRate ?? fees?.maker) : undefined
  const text = typeof named === 'number' || typeof named === 'string' ? readDecimal(named) : null
  const rate = text === null ? 0 : Number(text)
  return { taker, makerRate: rate > 0 ? rate : null }
}

/** Before rounding. */
export function exactPaperFee({ taker, makerRate }: PaperFeeModel, { price, size, liquidity }: FeeQuestion): string {
  const model = liquidity === 'taker' ? taker : makerRate === null ? null : withRate(taker, makerRate)
  if (model === null) return '0'
  return roundDecimal(multiplyDecimals(size, feePerContract(model, price)), exactPlaces, 'halfEven')
}

/** The sum of an order's fees as it is charged. Never falls when the sum grows. */
export function roundPaperFee({ taker }: PaperFeeModel, exact: string): string {
  const [places, rounding] = roundingOf(taker)
  return roundDecimal(exact, places, rounding)
}

/** The most that purchases of this size at this price or below can cost in fees. */
function purchaseFeeMax(fees: PaperFeeModel, { price, size }: { price: string; size: string }): string {
  // The curves are highest in the middle.
  const worst = compareDecimals(price, half) > 0 ? [half, price] : [price]
  const costs = worst.flatMap((at) =>
    (['taker', 'maker'] as const).map((liquidity) => exactPaperFee(fees, { price: at, size, liquidity })),
  )
  const most = costs.reduce((a, b) => (compareDecimals(a, b) > 0 ? a : b))
  const [places] = roundingOf(fees.taker)
  return roundDecimal(most, places, 'up')
}

/** Cash that a purchase holds: its cost at its limit and the most in fees, with one step for what rounding of earlier fills left. */
export function purchaseReserve(
  fees: PaperFeeModel,
  { price, size, hasFills }: { price: string; size: string; hasFills: boolean },
): string {
  const cost = multiplyDecimals(price, size)
  const fee = purchaseFeeMax(fees, { price, size })
  const [places] = roundingOf(fees.taker)
  const step = hasFills ? roundDecimal('0.000000000000000001', places, 'up') : '0'
  return addDecimals(addDecimals(cost, fee), step)
}

function roundingOf(model: FeeModel): [places: number, rounding: Rounding] {
  switch (model.kind) {
    case 'kalshi_quadratic':
      return [model.rounding === 'cent' ? 2 : 4, 'up']
    case 'quadratic_half_even':
      return [2, 'halfEven']
    case 'polymarket_curve':
      return [5, 'down']
    default:
      return [ceilingPlaces, 'up']
  }
}

const withRate = (model: FeeModel, rate: number): FeeModel =>
  model.kind === 'none'
    ? model
    : model.kind === 'unknown'
      ? { ...model, ...(model.atMost && { atMost: { ...model.atMost, rate } }) }
      : { ...model, rate }

function feePerContract(model: FeeModel, price: string): string {
  const spread = multiplyDecimals(price, subtractDecimals('1', price))
  switch (model.kind) {
    case 'none':
      return '0'
    case 'kalshi_quadratic':
      return multiplyDecimals(multiplyDecimals(textOf(model.rate), textOf(model.multiplier)), spread)
    case 'quadratic_half_even':
      return multiplyDecimals(textOf(model.rate), spread)
    case 'polymarket_curve':
      return multiplyDecimals(textOf(model.rate), power(spread, model.exponent))
    case 'unknown':
      return model.atMost === undefined ? '0' : ceilingPerContract(model.atMost, price, spread)
  }
}

function ceilingPerContract({ kind, rate }: FeeCeiling, price: string, spread: string): string {
  const other = subtractDecimals('1', price)
  const base = { quadratic: spread, cheaper_side: compareDecimals(price, other) < 0 ? price : other, notional: price }
  return multiplyDecimals(textOf(rate), base[kind])
}

/** Whole exponents exactly; others are not published. */
function power(base: string, exponent: number): string {
  let product = '1'
  for (let i = 0; i < Math.round(exponent); i++)
    product = roundDecimal(multiplyDecimals(product, base), exactPlaces, 'halfEven')
  return product
}

/** Rates have at most ten digits; a number that JavaScript writes with an exponent is smaller than any fee. */
const textOf = (rate: number): string => readDecimal(rate) ?? '0'
