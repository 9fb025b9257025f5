// Which currencies are added up: those worth a dollar. Nothing is converted.

/** Novig equates its CASH with dollars. */
const dollars: ReadonlySet<string> = new Set(['USD', 'USDC', 'USDC.e', 'pUSD', 'USDT', 'USDT0', 'USD1', 'USDH', 'CASH'])

const unknown = 'unknown:'

/** Of a market's positions: `USD` for every dollar, another symbol as it is; an unknown one is like no other. */
export function moneyOf(held: readonly { venue: string; marketId: string; currency: string | null }[]): string {
  const [first] = held
  const symbols = new Set(held.map(({ currency }) => (currency !== null && dollars.has(currency) ? 'USD' : currency)))
  const [symbol] = symbols
  if (symbols.size === 1 && typeof symbol === 'string') return symbol
  return `${unknown}${first?.venue}:${first?.marketId}`
}

/** As reported: null if unknown. */
export const currencyOf = (money: string): string | null => (money.startsWith(unknown) ? null : money)
