// The format of Gemini Predictions' instrument symbols. The symbol is the only unique name of a contract, and never rebuilt from
// tickers.
import { withOutcomeSuffix } from '../shared/data/binary.ts'

const prefix = 'GEMI-'

/** `GEMI-{event}-{contract}`; no other part is fixed. */
export const symbolForm = /^GEMI-[A-Z0-9][A-Z0-9._-]{0,120}$/
export const isSymbol = (text: string): boolean => symbolForm.test(text)

/** YES is the symbol itself, NO the symbol plus `-NO`. There is one book, of YES. */
export const { idsOf, bookRef } = withOutcomeSuffix({ yes: '', no: '-NO' }, isSymbol)

/** Events a symbol may belong to, likeliest first: the contract is usually the last part, but may contain dashes. */
export function eventTickersOf(symbol: string, most: number): string[] {
  const parts = symbol.slice(prefix.length).split('-')
  const lengths = Array.from({ length: Math.min(most, parts.length - 1) }, (_, i) => parts.length - 1 - i)
  return lengths.map((length) => parts.slice(0, length).join('-'))
}
