// The ERC-2612 permit by which a payer without gas lets the lab collect the amount; and the recovery of its signer.
import { type Hex, isHex, parseUnits, recoverTypedDataAddress } from 'viem'
import type { LabSession } from './session.ts'

/** The payee: an account of the lab without a private key. */
export const receiver: Hex = '0x61dea11000000000000000000000000000000001'

const types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** Numbers are decimal strings, the chain id is hex. */
export const permitOf = ({ from, payer, amount, createdAt }: LabSession) => ({
  types,
  primaryType: 'Permit' as const,
  domain: {
    name: 'USD Coin',
    version: '2',
    chainId: `0x${chainNumber(from.chainId).toString(16)}`,
    verifyingContract: from.token,
  },
  message: {
    owner: payer,
    spender: receiver,
    value: String(parseUnits(amount, from.decimals)),
    nonce: '0',
    deadline: String(Math.floor(createdAt / 1_000) + 3_600),
  },
})

const chainNumber = (caip2: string): number => Number(caip2.split(':')[1])

export async function isSignedByPayer(session: LabSession, signature: string): Promise<boolean> {
  if (!isHex(signature) || signature.length !== 132) return false
  const { domain, message } = permitOf(session)
  const signer = await recoverTypedDataAddress({
    types,
    primaryType: 'Permit',
    domain: { ...domain, chainId: BigInt(domain.chainId), verifyingContract: domain.verifyingContract as Hex },
    message: {
      owner: message.owner as Hex,
      spender: message.spender,
      value: BigInt(message.value),
      nonce: 0n,
      deadline: BigInt(message.deadline),
    },
    signature,
  }).catch(() => null)
  return signer?.toLowerCase() === session.payer
}
