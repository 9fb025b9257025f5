// Rows by hand, in the formats that the venue’s quickstart and its clients read (nothing was recorded), and a context that serves them.
import { ManualClock } from '#core/clock'
import { type Log, silentLog } from '#core/log'
import type { HttpRequest } from '#net/http'
import type { VenueContext } from '#venues/venueContext'

export const symbol = 'ME_SEN_2026.REP'

export const market = (name: string, more: object = {}) => ({
  symbol: name,
  mark_price: '0.420000',
  open_interest: '1200',
  tick_size_min: '0.001000',
  taker_fee_rate: '0.010000',
  resolution: null,
  display_attributes: {
    event_description: 'Who wins the Senate race in Maine?',
    market_description: 'Republican',
    expected_resolution_time_ms: 1_793_750_400_000,
    expected_event_start_time_ms: null,
    tags: ['Politics', 'Elections'],
    game_page: { section_description: 'Senate' },
    reference: {
      kind: 'polymarket',
      condition_id: '0xabc',
      market_outcome_token_id: '123',
      market_slug: 'maine-senate-republican',
    },
  },
  stats: {
    last_24h: { taker_buy_volume: '10.5', taker_sell_volume: '4.25' },
    all_time: { taker_volume_usdc: '900.125' },
  },
  ...more,
})

export const trade = (seq: number | string, more: object = {}) => ({
  seq,
  trade_ts_ms: 1_790_000_000_000 + Number(seq),
  symbol,
  side: 'BID',
  price: '0.420000',
  size: '10',
  ...more,
})

export const success = (data: unknown) => ({ status: 'success', data, seq: '67891', state_time_ms: '1790000000050' })

export function venueThat(answer: (request: HttpRequest & { path: string }) => unknown): {
  context: VenueContext
  requests: HttpRequest[]
  warnings: unknown[]
} {
  const requests: HttpRequest[] = []
  const warnings: unknown[] = []
  const log: Log = Object.create(silentLog, { warn: { value: (fields: unknown) => warnings.push(fields) } })
  const http = {
    async request(request: HttpRequest) {
      requests.push(request)
      return { status: 200, headers: {}, body: answer({ ...request, path: new URL(request.url).pathname }) }
    },
  }
  const context: VenueContext = {
    venue: 'pascal',
    http,
    clock: new ManualClock(),
    log,
    urls: { REST: 'http://venue', WS: 'ws://venue/ws' },
    credentials: null,
    signal: new AbortController().signal,
  }
  return { context, requests, warnings }
}
