// A small HTTP server in place of Gemini, and a context that uses it. Made-up values in the format of recorded answers.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ManualClock } from '#core/clock'
import { type Log, silentLog } from '#core/log'
import { createHttpClient } from '#net/httpClient'
import type { VenueContext } from '#venues/venueContext'

export interface VenueRequest {
  path: string
  query: URLSearchParams
}
export interface Answer {
  status?: number
  body?: unknown
  text?: string
  headers?: Record<string, string>
}

export interface VenueServer {
  clock: ManualClock
  context: VenueContext
  requests: VenueRequest[]
  /** Log messages, in order. */
  warnings: string[]
  answer: (request: VenueRequest) => Answer | 'silence'
  close(): Promise<void>
}

export const now = 1_790_000_000_000

export async function serveVenue(): Promise<VenueServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://venue')
    const one = { path: url.pathname, query: url.searchParams }
    here.requests.push(one)
    const answer = here.answer(one)
    if (answer === 'silence') return
    const { status = 200, body, text, headers = {} } = answer
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(text ?? JSON.stringify(body))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const clock = new ManualClock(now)
  const http = createHttpClient({ venue: 'gemini', requestsPerSecond: 10_000, clock })
  const log: Log = Object.create(silentLog, {
    warn: { value: (_fields: unknown, message: string) => here.warnings.push(message) },
  })
  const here: VenueServer = {
    clock,
    requests: [],
    warnings: [],
    answer: () => refusal(404, 'EndpointNotFound', 'API entry point not found'),
    context: {
      venue: 'gemini',
      http,
      clock,
      log,
      urls: { REST: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
      credentials: null,
      signal: new AbortController().signal,
    },
    async close() {
      await http.close()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  return here
}

export const refusal = (status: number, reason: string, message: string): Answer => ({
  status,
  body: { result: 'error', reason, message },
})

export const contract = (symbol: string, more: object = {}) => ({
  id: '4000-0',
  label: 'AAA',
  abbreviatedName: 'AAA',
  ticker: 'AAA',
  instrumentSymbol: symbol,
  description: {
    nodeType: 'document',
    content: [{ value: 'It resolves ' }, { content: [{ value: 'by the count.' }] }],
  },
  prices: {
    buy: { yes: '0.20', no: '0.81' },
    sell: { yes: '0.19', no: '0.80' },
    bestBid: '0.19',
    bestAsk: '0.20',
    lastTradePrice: '0.22',
  },
  status: 'active',
  marketState: 'open',
  expiryDate: '2026-12-31T12:00:00.000Z',
  sortOrder: 0,
  ...more,
})

export const event = (ticker: string, contracts: unknown[], more: object = {}) => ({
  id: '4000',
  title: 'Who wins the test?',
  slug: 'who-wins-the-test',
  description: 'All about the test.',
  imageUrl: 'https://images.example/test.png',
  type: contracts.length === 1 ? 'binary' : 'categorical',
  category: 'Politics',
  ticker,
  status: 'active',
  contracts,
  volume: '1200',
  volume24h: '300',
  liquidity: null,
  tags: ['Test'],
  expiryDate: '2026-12-31T12:00:00.000Z',
  ...more,
})

export const pageOf = (data: unknown[], total: number): Answer => ({
  body: { data, pagination: { limit: 50, offset: 0, total } },
})
