// The strikes of a market: those its words name and those its venue provides in separate fields.
import type { Features } from './features.ts'
import type { MatchInput } from './input.ts'
import { type Interval, relate, type Value } from './thresholdParser.ts'

/** A handicap's number moves from `numbers` to the strikes. */
export function strikesOf(
  stated: readonly Interval[],
  numbers: Value[],
  features: Features,
  market: MatchInput,
): Interval[] {
  const spread = features.of('form').includes('spread') ? numbers.findIndex((value) => value.amount < 0) : -1
  if (spread < 0 || stated.length > 0) return withStructured(stated, market, features.of('asset').length > 0)
  // "(-1.5)": wins by more than that.
  const margin = -(numbers.splice(spread, 1)[0] as Value).amount
  return [{ low: margin, lowIncluded: false, high: null, highIncluded: false, unit: 'count', touch: false }]
}

/**
 * The venue's own strike fields take precedence over its words; they agree except for the tick below the round number.
 */
function withStructured(stated: readonly Interval[], market: MatchInput, priced: boolean): Interval[] {
  const low = market.floorStrike ?? null
  const high = market.capStrike ?? null
  const distinct = stated.filter(
    (each, index) => stated.findIndex((other) => relate(each, other) === 'equal') === index,
  )
  if ((low === null && high === null) || market.strikeType === null || market.strikeType === undefined) return distinct
  const unit = stated[0]?.unit ?? (priced ? 'money' : 'count')
  const type = market.strikeType
  const own: Interval = {
    low: type === 'less' || type === 'less_or_equal' ? null : low,
    lowIncluded: low !== null && /^(?:greater_or_equal|between)$/.test(type),
    high: type === 'greater' || type === 'greater_or_equal' ? null : high,
    highIncluded: high !== null && /^(?:less_or_equal|between)$/.test(type),
    unit,
    touch: stated.some((each) => each.touch),
    ...(stated.some((each) => each.eitherWay === true) ? { eitherWay: true } : {}),
  }
  if (own.low === null && own.high === null) return distinct
  if (distinct.some((each) => /^(?:equal|tick|boundary)$/.test(relate(each, own)))) return distinct
  return [own]
}
