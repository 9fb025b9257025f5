// The order of the first CTF exchange, with twelve members, from which several venues' contracts descend. They differ in the domain, in the
// supported wallets, and in the last six members.
import { z } from 'zod'
import { type Hex, hexText, Uint } from './typedOrder.ts'

export const ctfMembers = [
  { name: 'salt', type: 'uint256' },
  { name: 'maker', type: 'address' },
  { name: 'signer', type: 'address' },
  { name: 'taker', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'makerAmount', type: 'uint256' },
  { name: 'takerAmount', type: 'uint256' },
  { name: 'expiration', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'feeRateBps', type: 'uint256' },
  { name: 'side', type: 'uint8' },
  { name: 'signatureType', type: 'uint8' },
] as const

/** Open to any taker. */
export const openTaker: Hex = `0x${'0'.repeat(40)}`

/** A lane narrows it to what its venue accepts. */
export const CtfMessage = z.strictObject({
  salt: Uint,
  maker: hexText(40),
  signer: hexText(40),
  taker: z.literal(openTaker),
  tokenId: Uint,
  makerAmount: Uint,
  takerAmount: Uint,
  /** Unix seconds, or `0`. */
  expiration: Uint,
  nonce: z.literal('0'),
  /** Maximum. */
  feeRateBps: Uint,
  /** 0 buys, 1 sells. */
  side: z.union([z.literal(0), z.literal(1)]),
  signatureType: z.union([z.literal(0), z.literal(1), z.literal(2)]),
})
export type CtfMessage = z.infer<typeof CtfMessage>

/** Identifies an order before it is signed: 256 random bits. */
export const saltOf = (bytes: Uint8Array): string => BigInt(`0x${Buffer.from(bytes).toString('hex')}`).toString()
