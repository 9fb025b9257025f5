// What an instrument symbol of Gemini Predictions looks like. It is the only unique name of a contract, and never rebuilt from tickers.

const prefix = 'GEMI-'

/** `GEMI-{event}-{contract}`; no other part is fixed. */
export const symbolForm = /^GEMI-[A-Z0-9][A-Z0-9._-]{0,120}$/

/** Events a symbol may belong to, likeliest first: its contract is mostly the last part, but may have dashes of its own. */
export function eventTickersOf(symbol: string, most: number): string[] {
  const parts = symbol.slice(prefix.length).split('-')
  const lengths = Array.from({ length: Math.min(most, parts.length - 1) }, (_, i) => parts.length - 1 - i)
  return lengths.map((length) => parts.slice(0, length).join('-'))
}
