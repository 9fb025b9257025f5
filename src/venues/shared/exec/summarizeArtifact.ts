// What an artifact says to its signer. A lane names what is in the artifact; the amounts follow from that.
import { fromUnits, multiplyDecimals, subtractDecimals } from '#core/decimal'
import type { DescribedOrder } from '../../lane.ts'
import { moneyAtRisk } from '../exposure.ts'

type Money = 'costMax' | 'bringsMin'

/** An order with a price and a size. `closesOnly`: the artifact itself, or a rule of the venue, limits it to the position held. */
export function describeLimit({
  closesOnly,
  ...terms
}: Omit<DescribedOrder, Money | 'price' | 'size'> & {
  price: string
  size: string
  closesOnly: boolean
}): DescribedOrder {
  const { isBuy, price, size } = terms
  return {
    ...terms,
    costMax: moneyAtRisk({ isBuy, price, size, closesOnly }),
    bringsMin: isBuy ? null : multiplyDecimals(price, size),
  }
}

interface Exchanged {
  isBuy: boolean
  /** At most given and at least received, in base units: a buyer gives cash and takes shares. */
  makerAmount: string
  takerAmount: string
}

/** An order with two token amounts, at the given decimals. `closesOnly`: a sale requires the shares, or nothing is taken. */
export function describeAmounts(
  { isBuy, makerAmount, takerAmount }: Exchanged,
  decimals: { cash: number; shares: number },
  { closesOnly }: { closesOnly: boolean } = { closesOnly: true },
): Pick<DescribedOrder, Money | 'isBuy' | 'price' | 'size'> {
  const amounts = [BigInt(makerAmount), BigInt(takerAmount)] as const
  const [cash, shares] = (isBuy ? amounts : amounts.toReversed()) as [bigint, bigint]
  const money = fromUnits(cash, decimals.cash)
  const size = fromUnits(shares, decimals.shares)
  const sold = closesOnly ? '0' : subtractDecimals(size, money)
  return {
    isBuy,
    price: ratioOf(cash * 10n ** BigInt(decimals.shares), shares * 10n ** BigInt(decimals.cash)),
    size,
    costMax: isBuy ? money : sold,
    bringsMin: isBuy ? null : money,
  }
}

/** To the nearest millionth: finer than any grid. Null when nothing is received. */
function ratioOf(cash: bigint, shares: bigint): string | null {
  if (shares === 0n) return null
  return fromUnits((cash * 2_000_000n + shares) / (2n * shares), 6)
}
