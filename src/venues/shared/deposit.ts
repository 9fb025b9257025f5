// Deposit tokens shared by several venues.
import type { Deposit } from '../venue.ts'

/** USDT as Binance pegs it: 18 decimals, unlike everywhere else. */
export const bnbUsdt = {
  chain: 'eip155:56',
  token: '0x55d398326f99059fF775485246999027B3197955',
  symbol: 'USDT',
  decimals: 18,
} as const satisfies Deposit
