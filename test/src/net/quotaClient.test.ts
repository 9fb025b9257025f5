import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { VenueBudgets } from '#net/hostRateLimiter'
import type { HttpClient } from '#net/http'
import { quotaClient } from '#net/quotaClient'

it('a share sends its burst at once, then at its own pace; a request waits no longer than its patience', async () => {
  const clock = new ManualClock()
  const sent: number[] = []
  const http: HttpClient = {
    async request() {
      sent.push(clock.monotonic())
      return { status: 200, headers: {}, body: null }
    },
  }
  const slices = [new VenueBudgets('kalshi', { perSecond: 2, burst: 3 }, clock)]
  const client = quotaClient('kalshi', http, { of: () => slices })
  const url = 'http://venue/x'
  const impatient = new AbortController()
  const requests = [1, 1, 1, 1].map((weight) => client.request({ url, weight }))
  const given = client.request({ url, signal: impatient.signal })
  const refused = expect(given).rejects.toMatchObject({ code: 'NETWORK_ERROR', exchange: 'kalshi' })
  await Promise.all(requests.slice(0, 3))
  expect(sent).toHaveLength(3)
  impatient.abort()
  await refused
  clock.advance(500)
  await requests[3]
  expect(sent).toHaveLength(4)
  // Another host of the venue has its own queue.
  await client.request({ url: 'http://other/x' })
})

it('refuses a request that would wait too long in any queue at once, with the remaining time, without using the quota', async () => {
  const clock = new ManualClock()
  const receivedLineMs: (number | undefined)[] = []
  const http: HttpClient = {
    async request({ lineMs }) {
      receivedLineMs.push(lineMs)
      return { status: 200, headers: {}, body: null }
    },
  }
  const [own, all] = [
    { perSecond: 10, burst: 30 },
    { perSecond: 2, burst: 3 },
  ].map((pace) => new VenueBudgets('kalshi', pace, clock))
  const client = quotaClient('kalshi', http, { of: () => [own!, all!], lineMs: 1_000 })
  const url = 'http://venue/x'
  await client.request({ url, weight: 3 })
  const short = client.request({ url, weight: 2 })
  const refused = { code: 'NETWORK_ERROR', exchange: 'kalshi', detail: 'no request sent', retryAfterSeconds: 2 }
  for (let n = 0; n < 50; n++) await expect(client.request({ url })).rejects.toMatchObject(refused)
  clock.advance(1_000)
  await short
  // What the second queue refused was returned to the first: 25 of 30 remain there, plus what was added since.
  await own!.of(url).take({ weight: 30, lineMs: 0 })
  expect(receivedLineMs).toEqual([1_000, 1_000])
})

it('returns the unused part of a request’s cost', async () => {
  const clock = new ManualClock()
  let rows = 0
  const http: HttpClient = { request: async () => ({ status: 200, headers: {}, body: rows }) }
  const slices = [new VenueBudgets('kalshi', { perSecond: 1, burst: 10 }, clock)]
  const client = quotaClient('kalshi', http, { of: () => slices, lineMs: 0 })
  const request = () => client.request({ url: 'http://venue/x', weight: 10, costOf: ({ body }) => 1 + Number(body) })
  await request()
  await expect(request()).rejects.toMatchObject({ retryAfterSeconds: 1 })
  clock.advance(1_000)
  rows = 9
  await request()
  await expect(request()).rejects.toMatchObject({ retryAfterSeconds: 10 })
})
