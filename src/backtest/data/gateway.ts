// Markets, tape and coverage of a running deployment, over its API. A page of the tape costs credits as any other.
import { type EmittedFrame, reportedGaps } from '#history/paced/sources'
import type { MarketHistory, PageEnd, ReplayPage, ReplayQuery } from '#history/tape'
import type { CoverageGap } from '#schemas/history'
import type { Market } from '#schemas/market'
import { type Client, createClient } from '#sdk/typescript/src/index'
import type { BacktestData, TapedOutcome } from './ports.ts'

const windowMsMax = 31 * 86_400_000
/** Rows per page that the service returns. */
const pageRowsMax = 20_000

export function gatewayData({ url, apiKey }: { url: string; apiKey: string }, signal: AbortSignal): BacktestData {
  const client = createClient({ baseUrl: url, apiKey, retry: { retries: 6 } })
  return {
    findMarket: (venue, id) => findMarket(client, venue, id),
    tape: gatewayTape(client, signal),
    gaps: (taped, window) => findGaps(client, taped, window),
    close: async () => undefined,
  }
}

async function findMarket(client: Client, venue: string, id: string): Promise<Market | null> {
  for (const query of [{ marketId: id }, { outcomeId: id }]) {
    const { data } = await client.api.fetchMarkets({
      path: { exchange: venue },
      query: { ...query, status: 'all', limit: 2 } as never,
    })
    const [market] = data as unknown as Market[]
    if (market !== undefined) return market
  }
  return null
}

/** A page's position is the cursor of the next page, and the window that it is of. */
function gatewayTape(client: Client, signal: AbortSignal): Pick<MarketHistory, 'replay'> {
  return {
    async replay(query): Promise<ReplayPage> {
      const { since, until, cursor } = placeOf(query)
      const opened = await client.open(
        'replayHistory',
        {
          query: {
            venue: query.venue,
            outcomeId: query.outcomeIds[0]!,
            ...(query.marketId === undefined ? {} : { marketId: query.marketId }),
            kind: query.kind,
            since: String(since),
            until: String(until),
            limit: String(Math.min(pageRowsMax, query.limit)),
            ...(cursor === null ? {} : { cursor }),
          } as never,
        },
        { signal },
      )
      const parts: Buffer[] = []
      try {
        for (let part = await opened.read(); part !== null; part = await opened.read()) parts.push(Buffer.from(part))
      } finally {
        opened.end()
      }
      return pageOf(Buffer.concat(parts), { since, until, cursor }, query.untilMs)
    },
  }
}

interface Place {
  since: number
  until: number
  cursor: string | null
}

function placeOf({ after, sinceMs, untilMs }: ReplayQuery): Place {
  const place: Place = after === null ? { since: sinceMs, until: 0, cursor: null } : (JSON.parse(after.tie) as Place)
  return { ...place, until: Math.min(untilMs, place.since + windowMsMax) }
}

/** The last line names the next page, or says that the window is exhausted; then the next window follows. */
function pageOf(text: Buffer, { since, until }: Place, untilMs: number): ReplayPage {
  const trimmed = text.toString('utf8').trimEnd()
  const lastLine = trimmed.slice(trimmed.lastIndexOf('\n') + 1)
  const { k, next, rows } = JSON.parse(lastLine) as { k?: string; next?: string | null; rows?: number }
  if (k !== 'cursor') throw new Error('a page of the tape is incomplete')
  const place: Place | null =
    typeof next === 'string'
      ? { since, until, cursor: next }
      : until < untilMs
        ? { since: until + 1, until: 0, cursor: null }
        : null
  const end: PageEnd = {
    rows: rows ?? 0,
    last: place === null ? null : { ts: until, tie: JSON.stringify(place) },
    more: place !== null,
  }
  const body = text.subarray(0, text.length - Buffer.byteLength(lastLine) - (text.at(-1) === 10 ? 1 : 0))
  return { chunks: once(body), end: Promise.resolve(end) }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes
}

async function findGaps(
  client: Client,
  { venue, outcomeId, marketId }: TapedOutcome,
  { sinceMs, untilMs }: { sinceMs: number; untilMs: number },
): Promise<EmittedFrame[]> {
  const found: CoverageGap[] = []
  let complete: number | null = null
  for (let since = sinceMs; since <= untilMs; since += windowMsMax) {
    const until = Math.min(untilMs, since + windowMsMax - 1)
    const query = { venue, outcomeId, marketId, since: String(since), until: String(until) }
    const { data } = await client.api.getHistoryCoverage({ query } as never)
    const [row] = data as unknown as { completeUntil: string | null; gaps: CoverageGap[] }[]
    found.push(...(row?.gaps ?? []))
    complete = row?.completeUntil == null ? null : Date.parse(row.completeUntil)
  }
  const msOf = (text: string | null): number | null => (text === null ? null : Date.parse(text))
  const gaps = found.map(({ kind, from, to, reason }) => ({ kind, from: msOf(from), to: msOf(to), reason }))
  const unique = [...new Map(gaps.map((gap) => [JSON.stringify(gap), gap])).values()]
  return reportedGaps([...unique, ...incomplete(complete, untilMs)], sinceMs)
}

/** What is not yet on the tape is a gap. */
export const incomplete = (completeUntil: number | null, untilMs: number) =>
  completeUntil === null || completeUntil >= untilMs
    ? []
    : [{ kind: 'gap' as const, from: completeUntil, to: null, reason: 'the tape is not complete from here on' }]
