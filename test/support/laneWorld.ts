// An execution adapter with everything real but its venue: the HTTP client, the sender, and a small server on loopback that responds as the
// test defines.
import { createHash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import canonicalize from 'canonicalize'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { createHttpClient } from '#net/httpClient'
import { createHttpSender } from '#net/httpSender'
import type { Intent, JsonObject } from '#schemas/executions'
import { type Market, noPriceChanges, type Outcome } from '#schemas/market'
import type { Built, ExecutionAdapter, LaneContext, LaneExecution, ResolvedOutcome } from '#venues/lane'

export interface Seen {
  method: string
  path: string
  headers: IncomingHttpHeaders
  text: string
}

/** `cut` reads the request and drops the connection. */
export type Reply = { status?: number; body?: unknown; text?: string; headers?: Record<string, string> } | 'cut'

export interface LaneWorld {
  context: LaneContext
  clock: ManualClock
  seen: Seen[]
  url: string
  outcomes: ResolvedOutcome[]
  answer(reply: (seen: Seen) => Reply): void
  close(): Promise<void>
}

export async function createLaneWorld(
  venue: string,
  urlNames: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<LaneWorld> {
  const seen: Seen[] = []
  const outcomes: ResolvedOutcome[] = []
  let reply: (seen: Seen) => Reply = () => ({ status: 500 })
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const entry = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        text: Buffer.concat(chunks).toString(),
      }
      seen.push(entry)
      sendReply(response, reply(entry))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const http = createHttpClient({ venue, requestsPerSecond: 1_000 })
  const sender = createHttpSender()
  const clock = new ManualClock()
  let drawn = 0
  const randomBytes = (length: number): Uint8Array =>
    createHash('sha512').update(`${venue}:${drawn++}`).digest().subarray(0, length)
  const context: LaneContext = {
    http,
    sender,
    clock,
    log: silentLog,
    urls: Object.fromEntries(urlNames.map((name) => [name, url])),
    settings,
    signal: new AbortController().signal,
    heavy: async (work) => work(),
    catalog: {
      outcome: async (outcomeId, marketId) =>
        found(
          outcomes.find(
            (row) =>
              row.outcome.outcomeId === outcomeId && (marketId === undefined || row.market.marketId === marketId),
          ),
        ),
      side: async (marketId, side) =>
        found(outcomes.find((row) => row.market.marketId === marketId && row.side === side)),
    },
    randomBytes,
    randomUuid: () => uuidOf(randomBytes(16)),
  }
  return {
    context,
    clock,
    seen,
    url,
    outcomes,
    answer: (next) => {
      reply = next
    },
    async close() {
      await Promise.all([http.close(), sender.close(), closed(server)])
    },
  }
}

function sendReply(response: ServerResponse, reply: Reply): void {
  if (reply === 'cut') {
    response.socket?.destroy()
    return
  }
  const { status = 200, body, text, headers = {} } = reply
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(text ?? (body === undefined ? '' : JSON.stringify(body)))
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

function found(row: ResolvedOutcome | undefined): ResolvedOutcome {
  if (row === undefined) throw new Fault('OUTCOME_NOT_FOUND', 'no such outcome')
  return row
}

function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** YES and NO of a market. */
export function binaryMarket(
  venue: string,
  marketId: string,
  outcomeIds: readonly [yes: string, no: string],
  given: { tickSize?: number | null; sourceMetadata: Record<string, unknown>; status?: Market['status'] },
): ResolvedOutcome[] {
  const outcomes = outcomeIds.map(
    (outcomeId, i): Outcome => ({
      outcomeId,
      marketId,
      label: i === 0 ? 'Yes' : 'No',
      price: null,
      ...noPriceChanges,
      coverage: null,
    }),
  )
  const market: Market = {
    marketId,
    eventId: null,
    title: 'A market',
    description: '',
    outcomes,
    volume24h: null,
    volume: null,
    liquidity: null,
    openInterest: null,
    url: 'https://example.com',
    tickSize: given.tickSize ?? null,
    status: given.status ?? 'active',
    sourceExchange: venue,
    sourceMetadata: given.sourceMetadata,
  }
  return outcomes.map((outcome, i) => ({ market, outcome, side: i === 0 ? 'YES' : 'NO' }))
}

/** Like the core: parse, gather, build, check. */
export async function buildOrder(lane: ExecutionAdapter, context: LaneContext, body: unknown): Promise<Built> {
  const parsed = lane.order.body.parse(body)
  const built = lane.order.build(
    context,
    parsed as never,
    (await lane.order.gatherFacts(context, parsed as never)) as never,
  )
  lane.checkBounds(built.unsigned, built.bounds)
  return built
}

/** Stored and read back: JSON with sorted members, as the database returns it. */
export const stored = (value: JsonObject): JsonObject => JSON.parse(canonicalize(value)!)

export function executionOf(built: Built, given: Partial<LaneExecution> = {}, intent: Intent = 'order'): LaneExecution {
  return {
    executionId: '6f1c0f38-7f0a-4df6-9d1e-2a8b2f3c4d5e',
    intent,
    status: 'built',
    unsigned: stored(built.unsigned),
    submittedArtifact: null,
    bounds: stored(built.bounds),
    terms: built.terms,
    owner: built.owner,
    venueRef: null,
    clientRef: built.clientRef,
    createdAt: 1_790_000_000_000,
    statusSince: 1_790_000_000_000,
    missingSince: null,
    matchedSize: null,
    target: null,
    ...given,
  }
}

/** prepare, then relay what was stored of it. */
export async function submit(lane: ExecutionAdapter, context: LaneContext, execution: LaneExecution, send: unknown) {
  const parsed = lane.submit!.body.parse(send) as never
  const prepared = await lane.submit!.prepare(context, execution, parsed)
  const kept = { ...prepared, submittedArtifact: stored(prepared.submittedArtifact) }
  return { prepared: kept, outcome: await lane.submit!.relay(context, execution, kept, parsed) }
}
