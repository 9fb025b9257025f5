// Signing data for Polymarket's V2 contracts on Polygon. https://docs.polymarket.com/developers/CLOB/orders/create-order
// Addresses: https://docs.polymarket.com/resources/contract-addresses
import { type Hex, typedOrder } from '../../shared/exec/typedOrder.ts'

export type { Hex }

export const chainId = 137

/** CLOB V2 exchanges: the contracts an order is signed for. */
export const exchanges = {
  normal: '0xE111180000d2663C0091e4f400237545B87B996B',
  negRisk: '0xe2222d279d744050d28e00520010520000310F59',
} as const satisfies Record<string, Hex>

/** Collateral adapters: they take the caller's winning and losing tokens and pay pUSD. */
export const redeemAdapters = {
  normal: '0xAdA100Db00Ca00073811820692005400218FcE1f',
  negRisk: '0xadA2005600Dec949baf300f4C6120000bDB6eAab',
} as const satisfies Record<string, Hex>

/** https://docs.polymarket.com: it holds the tokens of all markets. */
export const conditionalTokens: Hex = '0x4D97DCd97eC945f40cF65F87097ACe5EA0476045'

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
  signatureType: 0 | 1 | 2
  /** Epoch ms. */
  timestamp: string
  metadata: Hex
  builder: Hex
}

export const order = typedOrder({
  name: 'Polymarket CTF Exchange',
  version: '2',
  chainId,
  members: [
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
  ],
})

export const { types: orderTypes, domainOf, hash: orderHash } = order
