// A small HTTP server in place of the gateway, a context that uses it, and rows in the gateway’s format. Made-up values.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ManualClock } from '#core/clock'
import { createLog, type Log } from '#core/log'
import { createHttpClient } from '#net/httpClient'
import type { VenueContext } from '#venues/venueContext'

export interface VenueRequest {
  path: string
  query: URLSearchParams
}
export interface Answer {
  status?: number
  headers?: Record<string, string>
  /** A string body is sent unchanged. */
  body: unknown
}

export interface VenueServer {
  context: VenueContext
  clock: ManualClock
  requests: VenueRequest[]
  close(): Promise<void>
}

export const notFound: Answer = { status: 404, body: { code: 5, message: 'unable to process', details: [] } }

export async function serveGateway(
  answer: (request: VenueRequest) => Answer,
  log: Log = createLog('silent'),
): Promise<VenueServer> {
  const requests: VenueRequest[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://venue')
    const one = { path: decodeURIComponent(url.pathname), query: url.searchParams }
    requests.push(one)
    const { status = 200, headers = {}, body } = answer(one)
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const clock = new ManualClock(1_790_000_000_000)
  const http = createHttpClient({ venue: 'polymarket_us', requestsPerSecond: 10_000, clock })
  return {
    requests,
    clock,
    context: {
      venue: 'polymarket_us',
      http,
      clock,
      log,
      urls: { GATEWAY: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
      credentials: null,
      signal: new AbortController().signal,
    },
    async close() {
      await http.close()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

export const usd = (value: string) => ({ value, currency: 'USD' })

const side = (long: boolean, description: string, more: object = {}) => ({
  id: long ? '21' : '22',
  marketSideType: 'MARKET_SIDE_TYPE_INSTRUMENT',
  identifier: 'x',
  description,
  long,
  tradable: true,
  ...more,
})

/** An open futures market, quoted on both sides. */
export const marketRow = (slug: string, more: object = {}) => ({
  id: '7001',
  slug,
  question: 'League Champion',
  title: 'Lakeside Herons',
  titleShort: 'Herons',
  subtitle: '',
  description: 'Will the Lakeside Herons win the league?',
  category: 'sports',
  tags: [],
  active: true,
  closed: false,
  archived: false,
  hidden: false,
  status: 'MARKET_STATUS_OPEN',
  ep3Status: 'OPEN',
  startDate: '2026-03-01T10:00:00Z',
  endDate: '2026-11-06T16:20:09Z',
  gameStartTime: '2026-09-07T00:00:00Z',
  createdAt: '2026-03-01T10:01:00Z',
  updatedAt: '2026-09-06T00:56:11Z',
  marketType: 'futures',
  sportsMarketType: 'futures',
  sportsMarketTypeV2: 'SPORTS_MARKET_TYPE_FUTURE',
  comboEnabled: false,
  feeCoefficient: 0.0695,
  minimumTradeQty: 1,
  orderPriceMinTickSize: 0.001,
  bestBidQuote: usd('0.2650'),
  bestAskQuote: usd('0.3820'),
  outcomes: '["Yes","No"]',
  outcomePrices: '["0.3820","0.735"]',
  marketSides: [
    side(true, 'Yes', { price: '0.3820', quote: usd('0.3820'), teamId: 30 }),
    side(false, 'No', { price: '0.735', quote: usd('0.735'), teamId: 30 }),
  ],
  ...more,
})

/** Without quotes; the deprecated outcomes list No first, and only the long side has a price. */
export const quietRow = (slug: string, more: object = {}) => {
  const {
    bestBidQuote: _bid,
    bestAskQuote: _ask,
    ...row
  } = marketRow(slug, {
    outcomes: '["No","Yes"]',
    outcomePrices: '["0.0300"]',
    marketSides: [side(false, 'No'), side(true, 'Yes', { price: '0.0300' })],
    ...more,
  })
  return row
}

export const eventRow = (id: string, markets: unknown[], more: object = {}) => ({
  id,
  ticker: `event-${id}`,
  slug: `event-${id}`,
  title: `Event ${id}`,
  description: 'Rules',
  category: 'sports',
  active: true,
  closed: false,
  archived: false,
  seriesSlug: 'league-2026',
  tags: [{ id: '1', label: 'League', slug: 'league' }],
  updatedAt: '2026-09-06T00:00:00Z',
  markets,
  ...more,
})
