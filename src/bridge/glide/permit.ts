// Typed data that a payer is asked to sign: an ERC-2612 permit over exactly the session's cost. Any other message could permit anything.
import { z } from 'zod'
import { mismatch } from './mismatch.ts'
import { chainNumberOf, uintOf } from './parseAmounts.ts'
import { type Payable, requireValidPayee } from './transaction.ts'

const permitFields = ['owner address', 'spender address', 'value uint256', 'nonce uint256', 'deadline uint256'].join()
const domainFields = new Set([
  ...['name string', 'version string', 'chainId uint256', 'verifyingContract address', 'salt bytes32'],
])
/** A permit that outlives its session by more could be used long after it is forgotten. */
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
  if (!parsed.success) throw mismatch('its typed data are no permit')
  const { types, domain, message } = parsed.data
  if (types.Permit.map(({ name, type }) => `${name} ${type}`).join() !== permitFields)
    throw mismatch('its permit has other fields')
  if (types.EIP712Domain?.some(({ name, type }) => !domainFields.has(`${name} ${type}`)) === true)
    throw mismatch('its permit’s domain has other fields')
  // Tokens with the chain in the salt do not name it elsewhere.
  const chainId = domain.chainId ?? (domain.salt === undefined ? null : BigInt(domain.salt))
  if (chainId !== chainNumberOf(payable.chain)) throw mismatch('its permit is of another chain')
  if (domain.verifyingContract !== payable.token) throw mismatch('its permit is of another token')
  if (message.owner !== payable.payer) throw mismatch('its permit is another payer’s')
  if (message.value !== payable.units) throw mismatch('its permit is over another amount than it says')
  const deadlineMs = Number(message.deadline) * 1_000
  if (deadlineMs <= nowMs || deadlineMs > nowMs + deadlineMsMax) throw mismatch('its permit ends at no good time')
  return requireValidPayee(message.spender, payable)
}
