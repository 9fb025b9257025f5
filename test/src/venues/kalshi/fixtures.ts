// Every recorded REST answer about markets, events, series, books, trades or candles, as bare rows. The recordings are outside the project.
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { sharedFixture } from '../../../support/fixtures.ts'

export const recorded = sharedFixture('kalshi') !== null && sharedFixture('kalshi-demo') !== null
export const absent = 'needs ../shared/fixtures/kalshi next to this checkout'

type Row = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: recordings in many formats, split below
type Json = any

export function text(path: string): string {
  const bytes = readFileSync(sharedFixture(path)!)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}
const json = (path: string): Json => JSON.parse(text(`kalshi/${path}`))
const golden = (name: string): Json =>
  json(`rest_golden/${name}_response.json${name === 'series_list' ? '.gz' : ''}`).response

/** The 2024 client dumped its objects with an underscore before each name. */
const bare = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => name !== 'discriminator')
      .map(([name, value]) => [name.replace(/^_/, ''), value]),
  )

export const marketsNow = (): Row[] => [
  ...json('kalshi-cockpit/events_sports_nested.json.gz').flatMap((event: Json) => event.markets),
  json('kalshi-cockpit/market_single.json').nested,
  json('kalshi-cockpit/market_single.json').single.market,
  ...json('kalshi-cockpit/markets_settled.json').markets,
  ...json('kalshi-cockpit/combo_priced_markets.json').combos,
  ...Object.values<Row>(json('kalshi-cockpit/combo_priced_markets.json').legs),
  ...json('rest/kalshi_markets.json'),
  ...json('rest/kalshi_spread_events.json.gz').flatMap((entry: Json) => entry.markets),
  ...json('rest_july2026/kalshi_markets.json').markets,
  ...json('rest_july2026/kalshi_events.json').events.flatMap((event: Json) => event.markets),
]

/** One market read within its event and by ticker at the same time. */
export const marketTwice = (): Row[] => {
  const { nested, single } = json('kalshi-cockpit/market_single.json')
  return [nested, single.market]
}

export const marketsCents = (): Row[] => [
  golden('market_single').market,
  ...golden('markets_list').markets,
  ...golden('event_single').markets,
  ...cassette().markets,
  ...json('rest_2024/market_data.json.gz').flatMap((entry: Json) => Object.values<Row[]>(entry).flat().map(bare)),
]

export const events = (): Row[] => [
  ...json('kalshi-cockpit/events_sports_nested.json.gz'),
  ...json('rest/kalshi_spread_events.json.gz').map((entry: Json) => entry.event),
  ...json('rest/events_20250224.json.gz').events,
  ...golden('events_list').events,
  ...golden('events_multivariate_list').events,
  golden('event_single').event,
  ...json('rest_july2026/kalshi_events.json').events,
  ...json('rest_2024/event_data.json').map(bare),
]

export const series = (): Row[] => [
  ...golden('series_list').series,
  golden('series_single').series,
  json('rest_july2026/kalshi_series.json').series,
  ...Object.values<Json>(json('kalshi-cockpit/series_fee_fields.json').payloads).map((body) => body.series),
]

/** Bodies of order-book reads. */
export const books = (): Json[] => [
  golden('orderbook'),
  json('rest_july2026/kalshi_orderbook.json'),
  json('kalshi-cockpit/market_single.json').orderbook,
  ...json('kalshi-cockpit/combo_orderbooks.json'),
  ...text('kalshi-demo/rest.jsonl')
    .split('\n')
    .filter((line) => line.includes('/orderbook'))
    .map((line) => JSON.parse(JSON.parse(line).response_body)),
  ...json('rest_2024/orderbook_data.json').flatMap((entry: Json) =>
    Object.values<Row>(entry).map((book) => ({ orderbook: bare(book) })),
  ),
]

export const trades = (): Row[] => [...golden('trades_list').trades, ...json('rest_july2026/kalshi_trades.json').trades]

/** With the length of their bucket in minutes. */
export const candles = (): { minutes: number; row: Row }[] => [
  ...Object.values<Json>(json('kalshi-cockpit/candlesticks_mlb.json').markets).flatMap((market) =>
    market.candlesticks.map((row: Row) => ({ minutes: market.period_interval, row })),
  ),
  ...golden('series_candlesticks').candlesticks.map((row: Row) => ({ minutes: 1440, row })),
  ...golden('candlesticks_batch').markets.flatMap((market: Json) =>
    market.candlesticks.map((row: Row) => ({ minutes: 1440, row })),
  ),
]

/** Files with REST answers that are read above, and files that are not, with the reason. */
export const read: readonly string[] = [
  'kalshi-cockpit/candlesticks_mlb.json',
  'kalshi-cockpit/combo_orderbooks.json',
  'kalshi-cockpit/combo_priced_markets.json',
  'kalshi-cockpit/events_sports_nested.json.gz',
  'kalshi-cockpit/market_single.json',
  'kalshi-cockpit/markets_settled.json',
  'kalshi-cockpit/series_fee_fields.json',
  'rest/events_20250224.json.gz',
  'rest/kalshi_get_markets.yaml',
  'rest/kalshi_markets.json',
  'rest/kalshi_spread_events.json.gz',
  'rest_2024/event_data.json',
  'rest_2024/market_data.json.gz',
  'rest_2024/orderbook_data.json',
  ...[
    'candlesticks_batch',
    'event_single',
    'events_list',
    'events_multivariate_list',
    'market_single',
    'markets_list',
    'orderbook',
    'series_candlesticks',
    'series_single',
    'trades_list',
  ].map((name) => `rest_golden/${name}_response.json`),
  'rest_golden/series_list_response.json.gz',
  ...['events', 'markets', 'orderbook', 'series', 'trades'].map((name) => `rest_july2026/kalshi_${name}.json`),
]
export const notOurs: readonly [pattern: RegExp, why: string][] = [
  [/ws_orderbook_stream/, 'socket frames: tape.test.ts'],
  [/portfolio_|order_group|order_queue|create_order|cancel_order|batch_create/, 'an account’s own data'],
  [/combo_collections|price_grids/, 'lists we do not read'],
  [/event_metadata|exchange_status|user_data_timestamp|tags_by_categories|series_fee_changes/, 'unused requests'],
  [/raw_kalshi_response/, 'the website’s own v1 interface'],
  [/rest_2024\/market_history/, 'a removed endpoint'],
]
export const restFiles = (): string[] =>
  ['kalshi-cockpit', 'rest', 'rest_2024', 'rest_golden', 'rest_july2026'].flatMap((folder) =>
    readdirSync(sharedFixture(`kalshi/${folder}`)!).map((name) => `${folder}/${name}`),
  )

/** One YAML scalar in single quotes, folded over lines: a line end is a space, two quotes are one. */
function cassette(): Json {
  const yaml = text('kalshi/rest/kalshi_get_markets.yaml')
  const from = yaml.indexOf("string: '{") + "string: '".length
  const scalar = /^(?:[^']|'')*/.exec(yaml.slice(from))![0]
  return JSON.parse(
    scalar
      .replace(/\n\s*\n\s*/g, '\n')
      .replace(/\n\s*/g, ' ')
      .replaceAll("''", "'"),
  )
}
