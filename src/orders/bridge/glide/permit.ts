// Typed data for the payer to sign: an ERC-2612 permit over exactly the session's cost. Any other message could permit anything.
import { z } from 'zod'
import { mismatch } from './mismatch.ts'
import { chainNumberOf, uintOf } from './parseAmounts.ts'
import { type Payable, requireValidPayee } from './transaction.ts'

const permitFields = ['owner address', 'spender address', 'value uint256', 'nonce uint256', 'deadline uint256'].join()
const domainFields = new Set([
  ...['name string', 'version string', 'chainId uint256', 'verifyingContract address', 'salt bytes32'],
])
/** A permit valid much longer than its session could be used long after the session is forgotten. */
const deadlineMsMax = 86_400_000

const Field = z.strictObject({ name: z.string(), type: z.string() })
const Uint = z.unknown().transform((value, context): bigint => {
  const read = uintOf(value)
  if (read !== null) return read
  context.addIssue({ code: 'custom', message: 'no uint256' })
  return z.NEVER
})
const Hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40,64}$/)
  .toLowerCase()
const Permit = z.strictObject({
  primaryType: z.literal('Permit'),
  types: z.strictObject({ Permit: Field.array(), EIP712Domain: Field.array().optional() }),
  domain: z.strictObject({
    name: z.string(),
    version: z.string().optional(),
    chainId: Uint.optional(),
    verifyingContract: Hex,
    salt: Hex.optional(),
  }),
  message: z.strictObject({ owner: Hex, spender: Hex, value: Uint, nonce: Uint, deadline: Uint }),
})

/** Returns who may collect the payment. Throws BRIDGE_UPSTREAM. */
export function spenderOf(typedData: Readonly<Record<string, unknown>>, payable: Payable, nowMs: number): string {
  const parsed = Permit.safeParse(typedData)
  if (!parsed.success) throw mismatch('the typed data is not a permit')
  const { types, domain, message } = parsed.data
  if (types.Permit.map(({ name, type }) => `${name} ${type}`).join() !== permitFields)
    throw mismatch('the permit has unexpected fields')
  if (types.EIP712Domain?.some(({ name, type }) => !domainFields.has(`${name} ${type}`)) === true)
    throw mismatch('the permit’s domain has unexpected fields')
  // Tokens with the chain in the salt do not name it elsewhere.
  const chainId = domain.chainId ?? (domain.salt === undefined ? null : BigInt(domain.salt))
  if (chainId !== chainNumberOf(payable.chain)) throw mismatch('the permit is for another chain')
  if (domain.verifyingContract !== payable.token) throw mismatch('the permit is for another token')
  if (message.owner !== payable.payer) throw mismatch('the permit is for another payer')
  if (message.value !== payable.units) throw mismatch('the permit’s amount differs from the session’s')
  const deadlineMs = Number(message.deadline) * 1_000
  if (deadlineMs <= nowMs || deadlineMs > nowMs + deadlineMsMax) throw mismatch('the permit’s deadline is out of range')
  return requireValidPayee(message.spender, payable)
}
