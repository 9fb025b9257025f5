// How Kalshi outcomes are named: YES is the market ticker itself, NO is the ticker with `-NO` behind it.
import type { BookRef } from '../../venue.ts'

const noSuffix = '-NO'
/** Upper-case series, then dash-separated parts: `KXHIGHNY-26AUG07-B84.5`. No other venue's ids look like this. */
/** Gemini's symbols look alike, but for their first four letters. */
const tickerForm = /^(?!GEMI-)[A-Z][A-Z0-9]*(?:-[A-Za-z0-9.+_]*)+$/
const tickerLengthMax = 200

export const noOutcomeId = (ticker: string): string => ticker + noSuffix

/**
 * `marketId`, when the caller has it, decides. Without it the form must: a market whose own ticker ends in `-NO` (New Orleans, as in
 * KXSB-27-NO) then reads like the NO side of a market KXSB-27, which the venue does not know.
 */
export function bookRef(outcomeId: string, marketId?: string): BookRef | null {
  if (outcomeId.length > tickerLengthMax || !tickerForm.test(outcomeId)) return null
  if (marketId !== undefined) return { bookId: marketId, complement: outcomeId !== marketId }
  const bare = outcomeId.slice(0, -noSuffix.length)
  const complement = outcomeId.endsWith(noSuffix) && tickerForm.test(bare)
  return { bookId: complement ? bare : outcomeId, complement }
}
