// Checks what the provider says it will send once paid: recipient, token and chain must match the agreed ones, or the session is a
// different one.
import { caip19 } from '../caip.ts'
import { mismatch } from './mismatch.ts'
import type { MoneySession } from './session.ts'

/** ERC-20's transfer(address,uint256), to the byte. */
const transferCall = /^0x(?:a9059cbb)0{24}([0-9a-f]{40})[0-9a-f]{64}$/i

/** Throws BRIDGE_UPSTREAM, also for an unknown way of sending. */
export function recipients({
  sponsoredTransaction,
  transaction,
  transfer,
}: MoneySession): [name: string, value: unknown][] {
  const calls = [sponsoredTransaction, transaction].flatMap((call) => (call == null ? [] : callOf(call)))
  return [...calls, ...(transfer == null ? [] : arrivalOf(transfer.chainId, transfer.token, transfer.recipient))]
}

function callOf({ chainId, to, input }: Readonly<Record<string, unknown>>): [string, unknown][] {
  const recipient = typeof input === 'string' ? transferCall.exec(input)?.[1] : undefined
  if (recipient === undefined) throw mismatch('the provider’s transaction is not a token transfer')
  return arrivalOf(chainId, to, `0x${recipient}`)
}

function arrivalOf(chain: unknown, token: unknown, recipient: unknown): [string, unknown][] {
  if (typeof chain !== 'string' || typeof token !== 'string' || typeof recipient !== 'string')
    throw mismatch('the provider’s transaction is incomplete')
  return [
    ['arrivesOn', chain],
    ['arrivesAs', caip19({ chain, token })],
    ['recipient', recipient],
  ]
}
