// A small server in place of POST /info, and a context that uses it.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createHttpClient } from '#net/httpClient'
import type { VenueContext } from '#venues/venueContext'

export interface InfoRequest {
  type: string
  [name: string]: unknown
}
/** `status` answers with that status and a text; a promise that never resolves means no answer. */
export type Answer = unknown | { status: number } | Promise<unknown>
export type Answers = Record<string, Answer | ((request: InfoRequest) => Answer)>

export interface InfoServer {
  context: VenueContext
  requests: InfoRequest[]
  /** Answers by `type`; a type without an answer is rejected with 422, as the venue does. */
  answers: Answers
  abort(): void
  close(): Promise<void>
}

export async function serveInfo(answers: Answers): Promise<InfoServer> {
  const requests: InfoRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const one = JSON.parse(Buffer.concat(chunks).toString()) as InfoRequest
    requests.push(one)
    const answer = here.answers[one.type]
    const value: unknown = await (typeof answer === 'function'
      ? (answer as (requestBody: InfoRequest) => unknown)(one)
      : answer)
    const status = value === undefined ? 422 : ((value as { status?: number } | null)?.status ?? 200)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(status === 200 ? JSON.stringify(value) : 'Failed to deserialize the JSON body into the target type')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const http = createHttpClient({ venue: 'hyperliquid', requestsPerSecond: 10_000 })
  const abort = new AbortController()
  const here: InfoServer = {
    requests,
    answers,
    context: {
      venue: 'hyperliquid',
      http,
      clock: new ManualClock(),
      log: silentLog,
      urls: { REST: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
      credentials: null,
      signal: abort.signal,
    },
    abort: () => abort.abort(),
    async close() {
      abort.abort()
      server.closeAllConnections()
      await http.close()
      await new Promise((done) => server.close(done))
    },
  }
  return here
}

export const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8'))

/** A template as registered at the venue, and a row based on it; formats observed 2026-09, numbers made up. */
export const template = {
  id: 'binaryPrice',
  role: { standaloneOutcome: { sideNames: ['Yes', 'No'] } },
  name: '{perp} above {threshold} at {time}?',
  description: 'Resolves to Yes if {perp} is above {threshold} at {time}, by a {seconds}-second TWAP.',
  keywords: [
    ['perp', 'hlPerp'],
    ['priceDescription', 'string'],
    ['seconds', 'uInt'],
    ['threshold', 'uDecimal'],
    ['time', 'dateTime'],
  ],
}
export const templated = {
  outcome: 516,
  name: 'template:binaryPrice',
  description: 'perp:xyz:SILVER|priceDescription:perp mark|seconds:60|threshold:64.128|time:20261201-0630',
  sideSpecs: [{ name: 'template:Yes' }, { name: 'template:No' }],
  quoteToken: 'USDC',
  venue: 'out',
  deployerFeeScale: '1.0',
}
export const spotContext = (coin: string, dayNtlVlm: string, markPx: string) => ({
  coin,
  prevDayPx: markPx,
  markPx,
  midPx: null,
  dayNtlVlm,
  dayBaseVlm: '1.0',
  circulatingSupply: '250.0',
  totalSupply: '250.0',
})
