// Continuously quoted instruments, under their names and tickers: coins as exchanges list them, indices and commodities as their owners
// call them (S&P Dow Jones Indices, Nasdaq, FTSE Russell, Nikkei Inc., Deutsche Börse, Cboe, CME Group). One form each.

import { rewrites } from '../../patternFilter.ts'

const names: readonly (readonly [form: string, pattern: string])[] = [
  ['btc', 'bitcoin|btc|xbt'],
  ['eth', 'ethereum|ether|eth'],
  ['sol', 'solana|sol'],
  ['xrp', 'xrp|ripple'],
  ['doge', 'dogecoin|doge'],
  ['bnb', 'bnb|binance coin'],
  ['ltc', 'litecoin|ltc'],
  ['ada', 'cardano'],
  ['spx', 's&p ?500(?: index)?(?: \\(spx\\))?|s and p 500|spx|sp500'],
  ['ndx', 'nasdaq[- ]?100(?: index)?|ndx'],
  ['djia', 'dow jones industrial average|dow jones|djia'],
  ['rut', 'russell 2000|rut'],
  ['nikkei', 'nikkei(?: 225)?'],
  ['dax', 'dax'],
  ['vix', 'vix|volatility index'],
  ['wti', 'wti(?: crude)?(?: oil)?|crude oil'],
  ['brent', 'brent(?: crude)?(?: oil)?'],
  ['gold', 'gold'],
  ['silver', 'silver'],
]

/** Regular expression alternatives for anything in the list. */
export const quoted = `(?:${names.map(([, pattern]) => pattern).join('|')})`

/** For phrases: every name is normalized to its form. Only a name by itself: "Gold Cup" is not a metal. */
export const quotedForms = rewrites(
  names.map(([form, alternatives]) => [new RegExp(`^ \\$?(?:the )?(?:${alternatives}) $`), ` ${form} `]),
)
