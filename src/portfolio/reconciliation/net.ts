// At some venues an account has one signed position per market: YES and NO cancel each other there, while our journal keeps what was bought
// and sold of each. Both sides are brought to one row per market, of the side that is held.
import { addDecimals, subtractDecimals } from '#core/decimal'
import type { HeldPosition } from '#venues/holdings'
import type { OurPosition } from './ourPosition.ts'

type SidesOf = (marketId: string) => readonly [yes: string, no: string]

export function netOurs(positions: readonly OurPosition[], sidesOf: SidesOf): OurPosition[] {
  return [...byMarket(positions)].map(([marketId, held]) => {
    const [yes, no] = sidesOf(marketId)
    const quantity = netOf(held, no)
    const isNo = quantity.startsWith('-')
    return {
      marketId,
      outcomeId: isNo ? no : yes,
      quantity: isNo ? negative(quantity) : quantity,
      averageCost: costOf(held, isNo ? no : yes),
      fees: sumOrNull(held.map(({ fees }) => fees)),
      isEnded: held.some(({ isEnded }) => isEnded),
      updatedAt: Math.max(...held.map(({ updatedAt }) => updatedAt)),
    }
  })
}

/** Of the side that we hold, where both have the market on opposite sides. */
export function netTheirs(
  positions: readonly HeldPosition[],
  ours: readonly OurPosition[],
  sidesOf: SidesOf,
): HeldPosition[] {
  const named = positions.filter((position): position is Named => position.marketId !== null)
  const others = positions.filter(({ marketId }) => marketId === null)
  const held = [...byMarket(named)].map(([marketId, rows]): HeldPosition => {
    const [yes, no] = sidesOf(marketId)
    const quantity = netOf(rows, no)
    const own = ours.find((position) => position.marketId === marketId && position.quantity !== '0')
    const outcomeId = own?.outcomeId ?? (quantity.startsWith('-') ? no : yes)
    return {
      marketId,
      outcomeId,
      quantity: outcomeId === no ? negative(quantity) : quantity,
      averageCost: costOf(rows, outcomeId),
    }
  })
  return [...held, ...others]
}

type Named = HeldPosition & { marketId: string }

function byMarket<P extends { marketId: string }>(positions: readonly P[]): Map<string, P[]> {
  const markets = new Map<string, P[]>()
  for (const position of positions) {
    markets.set(position.marketId, [...(markets.get(position.marketId) ?? []), position])
  }
  return markets
}

/** Of YES; NO counts against it. */
const netOf = (held: readonly Pick<HeldPosition, 'outcomeId' | 'quantity'>[], no: string): string =>
  held.reduce(
    (net, { outcomeId, quantity }) => (outcomeId === no ? subtractDecimals(net, quantity) : addDecimals(net, quantity)),
    '0',
  )

/** Of shares of this side. Null where both are held: venues that net them average in their own ways. */
function costOf(
  held: readonly Pick<HeldPosition, 'outcomeId' | 'quantity' | 'averageCost'>[],
  side: string,
): string | null {
  const [only, ...more] = held.filter(({ quantity }) => quantity !== '0')
  if (only === undefined || more.length > 0 || only.averageCost === null) return null
  return only.outcomeId === side ? only.averageCost : subtractDecimals('1', only.averageCost)
}

const negative = (amount: string): string => subtractDecimals('0', amount)

const sumOrNull = (amounts: readonly (string | null)[]): string | null =>
  amounts.reduce<string | null>(
    (sum, amount) => (sum === null || amount === null ? null : addDecimals(sum, amount)),
    '0',
  )
