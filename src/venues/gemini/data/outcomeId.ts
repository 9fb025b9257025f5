// How Gemini outcomes are named: YES is the instrument symbol itself, NO is the symbol with `-NO` behind it. There is one book, of YES.
import type { BookRef } from '../../venue.ts'
import { symbolForm } from '../symbol.ts'

const noSuffix = '-NO'

export const noOutcomeId = (symbol: string): string => symbol + noSuffix

/**
 * `marketId`, when the caller has it, decides. Without it the form must: a contract whose own symbol ends in `-NO` (New Orleans) then reads
 * like the NO side of a contract that the venue does not know.
 */
export function bookRef(outcomeId: string, marketId?: string): BookRef | null {
  if (marketId !== undefined) {
    return symbolForm.test(marketId) ? { bookId: marketId, complement: outcomeId !== marketId } : null
  }
  if (outcomeId.endsWith(noSuffix)) {
    const bare = outcomeId.slice(0, -noSuffix.length)
    return symbolForm.test(bare) ? { bookId: bare, complement: true } : null
  }
  return symbolForm.test(outcomeId) ? { bookId: outcomeId, complement: false } : null
}
