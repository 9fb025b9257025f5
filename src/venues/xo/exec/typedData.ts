// Signing data for XO. The venue publishes none of it. That its orders are those of the second CTF exchange is inferred from the names on its books
// and from the signature types it accepts; so the operator configures not only contract, chain and domain, but also the hash of the order's type,
// and an order with a different one is not built.
import { keccak256, stringToHex } from 'viem'
import { z } from 'zod'
import type { LaneSetting } from '../../lane.ts'
import { chainSetting, contractSetting, domainSetting } from '../../shared/exec/laneSettings.ts'
import { type Hex, typedOrder } from '../../shared/exec/typedOrder.ts'

const members = [
  { name: 'salt', type: 'uint256' },
  { name: 'maker', type: 'address' },
  { name: 'signer', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'makerAmount', type: 'uint256' },
  { name: 'takerAmount', type: 'uint256' },
  { name: 'side', type: 'uint8' },
  { name: 'signatureType', type: 'uint8' },
  { name: 'timestamp', type: 'uint256' },
  { name: 'metadata', type: 'bytes32' },
  { name: 'builder', type: 'bytes32' },
] as const

export const orderTypeHash = keccak256(
  stringToHex(`Order(${members.map(({ type, name }) => `${type} ${name}`).join(',')})`),
)

export const zeroBytes32: Hex = `0x${'0'.repeat(64)}`

interface Domain {
  name: string
  version: string
  chainId: number
}
export const orderFor = (domain: Domain) => typedOrder({ ...domain, members })

const decimalsMax = 18

export const settings = {
  EXCHANGE: contractSetting('the contract of its exchange'),
  CHAIN_ID: chainSetting('the chain of its exchange'),
  DOMAIN_NAME: domainSetting('the name of the domain that orders are signed for'),
  DOMAIN_VERSION: domainSetting('the version of that domain'),
  ORDER_TYPE_HASH: {
    is: 'the hash of the type that orders are signed as',
    shape: z
      .string()
      .refine((text) => text.toLowerCase() === orderTypeHash, `must be ${orderTypeHash}: no other order is built`),
    needed: true,
    onPaper: orderTypeHash,
  },
  COLLATERAL_DECIMALS: {
    is: 'the decimals of its collateral',
    shape: z
      .string()
      .regex(/^\d{1,2}$/, 'must be a whole number')
      .refine((text) => Number(text) <= decimalsMax, `must be ${decimalsMax} at most`),
    needed: true,
    onPaper: '6',
  },
} as const satisfies Record<string, LaneSetting>
