// The tokens that the lab's provider supports, by CAIP-19 name, each worth a dollar.

export interface Currency {
  chainId: string
  chainName: string
  symbol: string
  token: string
  decimals: number
}

const usdc = { symbol: 'USDC', decimals: 6 }
const usdt = { symbol: 'USDT', decimals: 6 }

const currencies: readonly Currency[] = [
  { ...usdc, chainId: 'eip155:1', chainName: 'Ethereum', token: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' },
  { ...usdc, chainId: 'eip155:10', chainName: 'Optimism', token: '0x0b2c639c533813f4aa9d7837caf62653d097ff85' },
  {
    ...usdc,
    chainId: 'eip155:56',
    chainName: 'BNB Chain',
    token: '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d',
    decimals: 18,
  },
  {
    ...usdt,
    chainId: 'eip155:56',
    chainName: 'BNB Chain',
    token: '0x55d398326f99059ff775485246999027b3197955',
    decimals: 18,
  },
  { ...usdc, chainId: 'eip155:137', chainName: 'Polygon', token: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359' },
  {
    symbol: 'pUSD',
    decimals: 6,
    chainId: 'eip155:137',
    chainName: 'Polygon',
    token: '0xc011a7e12a19f7b1f670d46f03b03f3342e82dfb',
  },
  { ...usdc, chainId: 'eip155:4162', chainName: 'SX Network', token: '0x6629ce1cf35cc1329ebb4f63202f3f197b3f050b' },
  { ...usdc, chainId: 'eip155:8453', chainName: 'Base', token: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' },
  { ...usdc, chainId: 'eip155:42161', chainName: 'Arbitrum', token: '0xaf88d065e77c8cc2239327c5edb3a432268e5831' },
  {
    ...usdc,
    chainId: 'hypercore:mainnet',
    chainName: 'HyperCore',
    token: '0x2000000000000000000000000000000000000000',
    decimals: 8,
  },
]

export const caip19 = ({ chainId, token }: Pick<Currency, 'chainId' | 'token'>): string =>
  `${chainId}/erc20:${token.toLowerCase()}`

const byName = new Map(currencies.map((currency) => [caip19(currency), currency]))

/** Case-insensitive. */
export const currencyOf = (name: string): Currency | undefined => byName.get(name.toLowerCase())
