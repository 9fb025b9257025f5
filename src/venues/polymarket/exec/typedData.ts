// Signing data for Polymarket's contracts on Polygon. https://docs.polymarket.com/developers/CLOB/orders/create-order
// Addresses: https://docs.polymarket.com/resources/contract-addresses
import { z } from 'zod'
import { type Hex, typedStruct } from '../../shared/exec/typedOrder.ts'

export type { Hex }

export const chainId = 137

/** The contracts an order is signed for: two of protocol 1, by whether the market is negative-risk, and one of protocol 2. */
export const exchanges = {
  normal: '0xE111180000d2663C0091e4f400237545B87B996B',
  negRisk: '0xe2222d279d744050d28e00520010520000310F59',
  v3: '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa',
} as const satisfies Record<string, Hex>
export type Exchange = (typeof exchanges)[keyof typeof exchanges]

/** Collateral adapters: they take the caller's winning and losing tokens and pay pUSD. */
export const redeemAdapters = {
  normal: '0xAdA100Db00Ca00073811820692005400218FcE1f',
  negRisk: '0xadA2005600Dec949baf300f4C6120000bDB6eAab',
} as const satisfies Record<string, Hex>

/** https://docs.polymarket.com: it holds the tokens of all markets. */
export const conditionalTokens: Hex = '0x4D97DCd97eC945f40cF65F87097ACe5EA0476045'

/** Splits, merges and converts for the adapter of negative-risk markets; the oracle of their conditions. */
export const negRiskAdapter: Hex = '0xd91E80cF2E7be2e162c6513ceD06f1dD0dA35296'

export const pusd: Hex = '0xC011a7E12a19f7B1f670d46F03B03f3342E82DFB'

export const zeroBytes32: Hex = `0x${'0'.repeat(64)}`

/** uint256 as decimal text. */
export type OrderMessage = {
  salt: string
  maker: Hex
  signer: Hex
  tokenId: string
  makerAmount: string
  takerAmount: string
  /** 0 buys, 1 sells. */
  side: 0 | 1
  signatureType: 0 | 1 | 2 | 3
  /** Epoch ms. */
  timestamp: string
  metadata: Hex
  builder: Hex
}

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

export const order = typedStruct(members)

/** The same struct for every exchange; each has its version of the domain. */
export const domainOf = (verifyingContract: Exchange) => ({
  name: 'Polymarket CTF Exchange',
  version: verifyingContract === exchanges.v3 ? '3' : '2',
  chainId,
  verifyingContract,
})

const domainShape = (version: '2' | '3', contract: z.ZodType<Exchange>) =>
  z.strictObject({
    name: z.literal('Polymarket CTF Exchange'),
    version: z.literal(version),
    chainId: z.literal(chainId),
    verifyingContract: contract,
  })

export const Domain = z.union([
  domainShape('2', z.enum([exchanges.normal, exchanges.negRisk])),
  domainShape('3', z.literal(exchanges.v3)),
])

export const { types: orderTypes } = order
/** The venue's order id. */
export const orderHash = (message: OrderMessage, exchange: Exchange): Hex => order.hash(message, domainOf(exchange))
