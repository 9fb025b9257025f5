// A small HTTP server in place of the venue’s REST hosts, and a context that uses it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createHttpClient } from '#net/httpClient'
import type { VenueContext } from '#venues/venueContext'

export interface VenueRequest {
  method: string
  path: string
  query: URLSearchParams
  body: unknown
}
/** `undefined` answers 404 like the venue does. */
export type Answer = (request: VenueRequest) => unknown

export interface VenueServer {
  context: VenueContext
  requests: VenueRequest[]
  close(): Promise<void>
}

export async function serveVenue(answer: Answer): Promise<VenueServer> {
  const requests: VenueRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '/', 'http://venue')
    const body: unknown = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString())
    const one: VenueRequest = { method: request.method ?? '', path: url.pathname, query: url.searchParams, body }
    requests.push(one)
    const value = answer(one)
    response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value ?? { error: 'No orderbook exists for the requested token id' }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const http = createHttpClient({ venue: 'polymarket', requestsPerSecond: 10_000 })
  return {
    requests,
    context: {
      venue: 'polymarket',
      http,
      clock: new ManualClock(),
      log: silentLog,
      urls: { CLOB: `${base}/clob`, GAMMA: `${base}/gamma`, DATA: `${base}/data`, WS: 'ws://127.0.0.1:9' },
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
