// A transaction that a payer is asked to sign: it moves or allows exactly the session's cost of the stated token, and nothing else.
import { mismatch } from './mismatch.ts'
import { isZeroAddress, uintOf } from './parseAmounts.ts'

/** What a session may take from its payer. */
export interface Payable {
  /** CAIP-2. */
  chain: string
  /** Lower case, as `payer`. */
  token: string
  payer: string
  /** In the token's own units. */
  units: bigint
}

const named = new Set(['chainId', 'from', 'to', 'value', 'input'])

/** ERC-20's transfer(address,uint256) and approve(address,uint256), to the byte. */
const calldata = /^0x(?:a9059cbb|095ea7b3)0{24}([0-9a-f]{40})([0-9a-f]{64})$/

/** Returns the payee, or who may collect the payment. Throws BRIDGE_UPSTREAM. */
export function payeeOf(transaction: Readonly<Record<string, unknown>>, payable: Payable): string {
  const { chainId, from, to, value, input } = transaction
  const other = Object.keys(transaction).some((name) => !named.has(name) && transaction[name] != null)
  if (other) throw mismatch('its transaction has a field that is not known here')
  if (chainId !== payable.chain) throw mismatch('its transaction is of another chain')
  if (lower(from) !== payable.payer) throw mismatch('its transaction is another payer’s')
  if (lower(to) !== payable.token) throw mismatch('its transaction calls something else than the token')
  // Only tokens are sent, never the chain's native coin.
  if (value != null && value !== '0x' && uintOf(value) !== 0n)
    throw mismatch('its transaction sends the chain’s own coin')
  const [, payee, units] = calldata.exec(lower(input) ?? '') ?? []
  if (payee === undefined) throw mismatch('its transaction neither transfers nor approves')
  if (BigInt(`0x${units}`) !== payable.units) throw mismatch('its transaction moves another amount than it says')
  return requireValidPayee(`0x${payee}`, payable)
}

/** A transfer to the zero address, to the token or back to its payer pays no one. */
export function requireValidPayee(payee: string, { token, payer }: Payable): string {
  if (isZeroAddress(payee) || payee === token || payee === payer) throw mismatch('its payee is not valid')
  return payee
}

const lower = (value: unknown): string | null => (typeof value === 'string' ? value.toLowerCase() : null)
