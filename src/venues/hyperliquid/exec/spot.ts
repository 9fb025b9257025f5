// The spot balance orders are paid from: the total less what open orders hold. Read by address, without a key.
import { z } from 'zod'
import { compareDecimals, readDecimal, subtractDecimals } from '#core/decimal'
import { type InfoContext, info } from './info.ts'

const Amount = z.string().transform((text, context) => {
  const amount = readDecimal(text)
  if (amount !== null) return amount
  context.addIssue({ code: 'custom', message: 'no plain decimal' })
  return z.NEVER
})
const State = z.object({ balances: z.array(z.object({ coin: z.string(), total: Amount, hold: Amount })) })

export interface SpotBalance {
  coin: string
  /** Decimal strings in units of the coin. */
  total: string
  hold: string
  /** total − hold, never below zero. */
  spendable: string
}

/** An account without the coin has zero of it: the venue lists only holdings. Throws NETWORK_ERROR. */
export async function fetchSpotBalance(
  context: InfoContext,
  owner: string,
  coin: string,
  timeoutMs?: number,
): Promise<SpotBalance> {
  const body = { type: 'spotClearinghouseState', user: owner.toLowerCase() }
  const { balances } = await info(context, body, State, timeoutMs)
  const { total, hold } = balances.find((balance) => balance.coin === coin) ?? { total: '0', hold: '0' }
  const left = subtractDecimals(total, hold)
  return { coin, total, hold, spendable: compareDecimals(left, '0') < 0 ? '0' : left }
}
