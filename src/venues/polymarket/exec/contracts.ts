// Polygon addresses of Polymarket's V2 contracts. https://docs.polymarket.com/resources/contract-addresses
export type Hex = `0x${string}`

export const chainId = 137

/** CLOB V2 exchanges: what an order is signed for. */
export const exchanges = {
  normal: '0xE111180000d2663C0091e4f400237545B87B996B',
  negRisk: '0xe2222d279d744050d28e00520010520000310F59',
} as const satisfies Record<string, Hex>

/** Collateral adapters: they take the caller's winning and losing tokens and pay pUSD. */
export const redeemAdapters = {
  normal: '0xAdA100Db00Ca00073811820692005400218FcE1f',
  negRisk: '0xadA2005600Dec949baf300f4C6120000bDB6eAab',
} as const satisfies Record<string, Hex>

export const pusd: Hex = '0xC011a7E12a19f7B1f670d46F03B03f3342E82DFB'

export const zeroBytes32: Hex = `0x${'0'.repeat(64)}`
