// How Kalshi outcomes are named: YES is the market ticker itself, NO is the ticker with `-NO` behind it (New Orleans, as in KXSB-27-NO, has
// tickers that end so themselves).
import { suffixedIds } from '../../shared/data/binary.ts'

/** Upper-case series, then dash-separated parts: `KXHIGHNY-26AUG07-B84.5`. Gemini's symbols look alike, but for their first four letters. */
const tickerForm = /^(?!GEMI-)[A-Z][A-Z0-9]*(?:-[A-Za-z0-9.+_]*)+$/
const tickerLengthMax = 200

export const { idsOf, bookRef } = suffixedIds(
  { yes: '', no: '-NO' },
  (text) => text.length <= tickerLengthMax && tickerForm.test(text),
)
