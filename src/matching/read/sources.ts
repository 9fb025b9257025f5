// Who decides the answer: a market's settlement source, and the station or index it reads, as far as its rules name them.
import { fold } from './text.ts'

const sources: readonly (readonly [string, RegExp])[] = [
  ['National Weather Service', /national weather service|\bnws\b|climatological report|weather\.gov/],
  ['Weather Underground', /weather underground|wunderground/],
  ['AccuWeather', /accuweather/],
  ['NOAA', /\bnoaa\b|national oceanic/],
  ['NASA', /\bnasa\b|\bgistemp\b/],
  ['Copernicus', /copernicus|\bera5\b/],
  ['Met Office', /met office/],
  ['Hong Kong Observatory', /hong kong observatory/],
  ['Binance', /\bbinance\b/],
  ['Coinbase', /\bcoinbase\b/],
  ['Kraken', /\bkraken (?:exchange|spot|price)/],
  ['CF Benchmarks', /cf benchmarks|\bbrti\b|bitcoin real[- ]time index|\bcme cf\b/],
  ['Chainlink', /\bchainlink\b/],
  ['Pyth', /\bpyth\b/],
  ['CoinGecko', /coingecko/],
  ['CoinMarketCap', /coinmarketcap/],
  ['TradingView', /tradingview/],
  ['Yahoo Finance', /yahoo finance|finance\.yahoo/],
  ['Google Finance', /google finance/],
  ['Nasdaq', /\bnasdaq\.com|nasdaq official closing/],
  ['CME', /\bcme group|cme settlement/],
  ['BLS', /bureau of labor statistics|\bbls\b/],
  ['ISW', /\bisw\b|institute for the study of war/],
  ['DeepState', /\bdeep ?state(?:map)?\b/],
  ['Silver Bulletin', /silver bulletin|natesilver/],
  ['RealClear', /\breal ?clear(?:politics|polling)?\b/],
  ['Gallup', /\bgallup\b/],
  ['NBER', /\bnber\b|national bureau of economic research/],
  ['two falling quarters', /\btwo (?:consecutive|straight|successive) quarters\b/],
  ['BEA', /bureau of economic analysis|\bbea\b/],
  ['Federal Reserve', /federalreserve\.gov|federal reserve'?s? (?:website|statement|press release)/],
  ['CDC', /\bcdc\b|centers for disease control/],
  ['Rotten Tomatoes', /rotten tomatoes/],
  ['Box Office Mojo', /box office mojo/],
  ['The Numbers', /the-numbers\.com|\bthe numbers\b/],
]

export interface Settlement {
  sources: string[]
  /** Stations, airports and observatories named, lower case. */
  stations: string[]
}

const place =
  /(?:\bat|\bfrom|\bfor|\bin|\bby) (?:the )?((?:[A-Z][\w.'-]*[ -]){1,4}(?:Airport|Station|Observatory|Intl|Field|International))\b/g
const icao = /\b(K[A-Z]{3}|E[GDHBL][A-Z]{2}|L[FIE][A-Z]{2}|RJ[A-Z]{2}|Z[BGS][A-Z]{2})\b/g

/** Named in a lower-case text. */
export const sourcesIn = (low: string): string[] =>
  sources.filter(([, pattern]) => pattern.test(low.toLowerCase())).map(([name]) => name)

export function readSettlement(rules: string, named: string): Settlement {
  if (named === '' && rules === '') return { sources: [], stations: [] }
  const text = fold(`${named} ${rules}`)
  const low = text.toLowerCase()
  const stations = new Set<string>()
  for (const match of text.matchAll(place)) {
    stations.add(
      (match[1] as string)
        .toLowerCase()
        .replace(/ (?:international|intl)(?: airport)?$| airport$| station$/, '')
        .trim(),
    )
  }
  for (const match of text.matchAll(icao)) stations.add((match[1] as string).toLowerCase())
  if (/\bcentral park\b/.test(low)) stations.add('central park')
  return {
    sources: sources.filter(([, pattern]) => pattern.test(low)).map(([name]) => name),
    stations: [...stations].sort(),
  }
}
