// Signing data for PRED; each parent market names its own contract, which only the catalog knows.
// https://pred-1.gitbook.io/pred-docs/api-reference (Orders: EIP-712 order signature)
import { z } from 'zod'
import type { LaneSetting } from '../../lane.ts'
import { type Hex, typedOrder } from '../../shared/exec/typedOrder.ts'

/** Base, and its test network. */
export const chainIds = [8_453, 84_532] as const
type ChainId = (typeof chainIds)[number]

export const settings = {
  /** Required with the address of the test network. */
  CHAIN_ID: {
    is: 'the chain of its exchanges',
    shape: z.enum(chainIds.map(String), `must be ${chainIds.join(' or ')}`),
  },
} as const satisfies Record<string, LaneSetting>

/** Base, unless the operator configures otherwise. */
export const chainIn = (given: Readonly<Record<string, string>>): ChainId =>
  chainIds.find((chainId) => String(chainId) === given.CHAIN_ID) ?? chainIds[0]

/** Always. */
export const signatureType = 2

/** uint256 as decimal text. */
export type OrderMessage = {
  salt: string
  /** The Safe, the account that controls it, and the zero address. */
  maker: Hex
  signer: Hex
  taker: Hex
  /** Millionths of a dollar, and of a share. */
  price: string
  quantity: string
  expiration: string
  nonce: string
  /** The child market. */
  questionId: Hex
  feeRateBps: string
  /** 0 is long, 1 short. */
  intent: 0 | 1
  signatureType: typeof signatureType
}

const members = [
  { name: 'salt', type: 'uint256' },
  { name: 'maker', type: 'address' },
  { name: 'signer', type: 'address' },
  { name: 'taker', type: 'address' },
  { name: 'price', type: 'uint256' },
  { name: 'quantity', type: 'uint256' },
  { name: 'expiration', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'questionId', type: 'bytes32' },
  { name: 'feeRateBps', type: 'uint256' },
  { name: 'intent', type: 'uint8' },
  { name: 'signatureType', type: 'uint8' },
] as const

export const domain = { name: 'Pred CTF Exchange', version: '1' } as const

export const orderOn = (chainId: ChainId) => typedOrder({ ...domain, chainId, members })
