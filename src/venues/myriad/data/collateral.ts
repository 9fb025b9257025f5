// The tokens that markets are denominated in.

const dollars: ReadonlySet<string> = new Set(['USDC', 'USDC.e', 'USDT', 'USD1'])

/** Tokens worth a dollar; figures in others (PENGU, PTS) are not dollars. */
export const isDollar = (symbol: string): boolean => dollars.has(symbol)
