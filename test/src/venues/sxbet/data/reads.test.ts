// Details of the venue’s reads, each with answers written by hand in the documented format.
import { describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { HttpRequest, HttpResponse } from '#net/http'
import { sxbet } from '#venues/sxbet/index'
import type { VenueContext } from '#venues/venueContext'
import { book, reported, spread, trade, winner } from './rows.ts'

type Answer = Pick<HttpResponse, 'status' | 'body'>
const ok = (data: unknown): Answer => ({ status: 200, body: { status: 'success', data } })
const refusal = (statusCode: number, message: unknown): Answer => ({
  status: statusCode,
  body: { error: 'Bad Request', message, statusCode },
})

function venue(answer: (query: NonNullable<HttpRequest['query']>, path: string) => Answer) {
  const requests: HttpRequest[] = []
  const context: VenueContext = {
    venue: 'sxbet',
    http: {
      async request(request) {
        requests.push(request)
        return { headers: {}, ...answer(request.query ?? {}, new URL(request.url).pathname) }
      },
    },
    clock: new ManualClock(),
    log: silentLog,
    urls: { REST: 'http://venue' },
    credentials: null,
    signal: new AbortController().signal,
  }
  return { context, requests }
}
const { marketHash } = spread

test('markets of a fixture spread over several pages are listed as one event, after the last page', async () => {
  const pages: Record<string, Answer> = {
    first: ok({ markets: [spread, reported, { marketHash: 'broken' }], nextKey: 'more' }),
    more: ok({ markets: [winner, { ...spread, mainLine: false }] }),
  }
  const { context, requests } = venue(({ paginationKey }) => pages[String(paginationKey ?? 'first')]!)
  const walked = []
  for await (const page of sxbet.data.walkCatalog(context)) walked.push(page)
  expect(requests.map(({ query }) => query?.paginationKey)).toEqual([undefined, 'more'])
  expect(walked.map(({ events }) => events.length)).toEqual([0, 0, 2])
  const { events, series } = walked.at(-1)!
  expect(events.map(({ id, markets }) => [id, markets.length])).toEqual([
    ['L18870109', 2],
    ['L6247212', 1],
  ])
  // The newer row of a duplicate market counts.
  expect(events[0]!.markets[0]!.sourceMetadata.mainLine).toBe(false)
  expect(series.map(({ id }) => id)).toEqual(['243', '29'])
})

describe('markets by their hashes', () => {
  test('are requested thirty at a time, without invalid hashes', async () => {
    const { context, requests } = venue(() => ok([]))
    const ids = Array.from({ length: 31 }, (_, n) => `0x${String(n).padStart(64, '0')}`)
    expect((await sxbet.data.fetchMarkets(context, [...ids, '1', 'L18870109'])).size).toBe(0)
    expect(requests.map(({ query }) => String(query?.marketHashes).split(',').length)).toEqual([30, 1])
    expect(await sxbet.data.fetchMarket(context, '12345')).toBeNull()
    expect(requests).toHaveLength(2)
  })

  test('that are unreadable are a fault, not unknown markets', async () => {
    const { context } = venue(() => ok([{ ...spread, outcomeTwoName: 2 }]))
    await expect(sxbet.data.fetchMarket(context, marketHash)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})

describe('a book', () => {
  const read = (answer: Answer) => sxbet.data.fetchOrderBook(venue(() => answer).context, marketHash)

  test('unknown to the venue is null by its own error, and a fault in a proxy’s', async () => {
    expect(await read(refusal(404, 'Market not found'))).toBeNull()
    expect(await read(refusal(400, 'INVALID_MARKET'))).toBeNull()
    for (const answer of [{ status: 404, body: '<html>' }, refusal(400, 'marketHash must be a string'), ok(null)])
      await expect(read(answer)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })

  test('of another market, or an incomplete one, is a fault', async () => {
    const bad = [
      { ...book, marketHash: winner.marketHash },
      { ...book, outcomeTwo: undefined },
      { ...book, outcomeOne: [{ size: '1' }] },
    ]
    for (const data of bad) await expect(read(ok(data))).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})

describe('the tape', () => {
  const ref = { outcomeId: `${marketHash}:1`, marketId: marketHash, eventId: null, metadata: {} }
  const at = (minute: number) => ({
    ...trade,
    tradeId: `t${minute}`,
    betTime: new Date(minute * 60_000 + 1.7e12).toISOString(),
  })
  /** Newest first, a hundred per page. */
  const tape = (length: number) =>
    venue(({ nextKey, perPage }) => {
      const from = Number(nextKey ?? 0)
      const to = from + Number(perPage)
      const trades = Array.from({ length }, (_, n) => at(length - n)).slice(from, to)
      return ok({ trades, ...(to < length ? { nextKey: String(to) } : {}) })
    })

  test('is read back to the start of the range and no further', async () => {
    const { context, requests } = tape(1_000)
    const startMs = 1.7e12 + 760 * 60_000
    const trades = await sxbet.data.fetchTrades(context, ref, { startMs, limit: 500 })
    expect([trades.length, trades.at(-1)!.id, requests.length]).toEqual([241, 't760', 3])
    const few = tape(1_000)
    expect(await sxbet.data.fetchTrades(few.context, ref, { limit: 20 })).toHaveLength(20)
    expect(few.requests.map(({ query, weight }) => [query?.perPage, weight])).toEqual([[20, 2.5]])
  })

  test('of another market is a fault; failed bets are left out', async () => {
    const read = (trades: unknown[]) => sxbet.data.fetchTrades(venue(() => ok({ trades })).context, ref, { limit: 5 })
    await expect(read([{ ...trade, marketHash: winner.marketHash }])).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect((await read([{ ...at(1), status: 'FAILED' }, at(2)])).map(({ id }) => id)).toEqual(['t2'])
  })
})
