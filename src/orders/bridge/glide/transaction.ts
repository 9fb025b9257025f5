// A transaction for the payer to sign: it moves or approves exactly the session's cost in the stated token, and nothing else.
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

/** Returns the payee, or the spender that may collect the payment. Throws BRIDGE_UPSTREAM. */
export function payeeOf(transaction: Readonly<Record<string, unknown>>, payable: Payable): string {
  const { chainId, from, to, value, input } = transaction
  const other = Object.keys(transaction).some((name) => !named.has(name) && transaction[name] != null)
  if (other) throw mismatch('the transaction has an unknown field')
  if (chainId !== payable.chain) throw mismatch('the transaction is for another chain')
  if (lower(from) !== payable.payer) throw mismatch('the transaction is from another payer')
  if (lower(to) !== payable.token) throw mismatch('the transaction calls a contract other than the token')
  // Only tokens are sent, never the chain's native coin.
  if (value != null && value !== '0x' && uintOf(value) !== 0n)
    throw mismatch('the transaction sends the chain’s native coin')
  const [, payee, units] = calldata.exec(lower(input) ?? '') ?? []
  if (payee === undefined) throw mismatch('the transaction is neither a transfer nor an approval')
  if (BigInt(`0x${units}`) !== payable.units) throw mismatch('the transaction’s amount differs from the session’s')
  return requireValidPayee(`0x${payee}`, payable)
}

/** A transfer to the zero address, to the token or back to its payer pays no one. */
export function requireValidPayee(payee: string, { token, payer }: Payable): string {
  if (isZeroAddress(payee) || payee === token || payee === payer) throw mismatch('the payee is not valid')
  return payee
}

const lower = (value: unknown): string | null => (typeof value === 'string' ? value.toLowerCase() : null)
