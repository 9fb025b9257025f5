// Names of Kalshi outcomes: YES is the market ticker itself, NO is the ticker plus `-NO` (New Orleans, as in KXSB-27-NO, has tickers that
// end the same way).
import { withOutcomeSuffix } from '../shared/data/binary.ts'

/**
 * Upper-case series, then dash-separated parts: `KXHIGHNY-26AUG07-B84.5`. Gemini's symbols look alike except for their first four letters.
 */
const tickerForm = /^(?!GEMI-)[A-Z][A-Z0-9]*(?:-[A-Za-z0-9.+_]*)+$/
const tickerLengthMax = 200

export const { idsOf, bookRef } = withOutcomeSuffix(
  { yes: '', no: '-NO' },
  (text) => text.length <= tickerLengthMax && tickerForm.test(text),
)
