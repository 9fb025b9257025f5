// The tokens that markets are denominated in.

const dollars: ReadonlySet<string> = new Set(['USDC', 'USDC.e', 'USDT', 'USD1'])

/** It stands for a dollar; figures in others (PENGU, PTS) are no dollars. */
export const isDollar = (symbol: string): boolean => dollars.has(symbol)
