// Decimals of the tokens that can be sent. Amounts in what is signed are in a token's own units, so a token not listed here could not be checked.
// Taken from the chains, never from the provider.
import { caip19 } from './caip.ts'

const decimalsByName: Readonly<Record<string, number>> = {
  // USDC: Ethereum, Optimism, BNB Chain, Polygon, HyperEVM, SX Network, Base, Arbitrum.
  'eip155:1/erc20:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48': 6,
  'eip155:10/erc20:0x0b2c639c533813f4aa9d7837caf62653d097ff85': 6,
  'eip155:56/erc20:0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d': 18,
  'eip155:137/erc20:0x3c499c542cef5e3811e1192ce70d8cc03d5c3359': 6,
  'eip155:999/erc20:0xb88339cb7199b77e23db6e890353e22632ba630f': 6,
  'eip155:4162/erc20:0x6629ce1cf35cc1329ebb4f63202f3f197b3f050b': 6,
  'eip155:8453/erc20:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913': 6,
  'eip155:42161/erc20:0xaf88d065e77c8cc2239327c5edb3a432268e5831': 6,
  // USDT: BNB Chain, Arbitrum. pUSD: Polygon.
  'eip155:56/erc20:0x55d398326f99059ff775485246999027b3197955': 18,
  'eip155:42161/erc20:0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9': 6,
  'eip155:137/erc20:0xc011a7e12a19f7b1f670d46f03b03f3342e82dfb': 6,
}

/** Null: unknown here. */
export const decimalsOf = (token: { chain: string; token: string }): number | null => {
  const name = caip19(token)
  return Object.hasOwn(decimalsByName, name) ? decimalsByName[name]! : null
}
