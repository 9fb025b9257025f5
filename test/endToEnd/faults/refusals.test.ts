// Errors for what cannot be served: the same code, status and envelope on every venue, and in time.
import { describe, expect, it } from 'vitest'
import { type ErrorCode, isRetryable, statusOf } from '#schemas/errors'
import { bodyBytesMax } from '#server/http/contract'
import { eventually, StreamClient } from '#test/support/cluster/client'
import { withEngine } from '#test/support/engine'

/** No response takes longer, however the venue behaves. */
const answerWithinMs = 5_000

const engine = withEngine()

interface RequestOptions {
  method?: string
  key?: string | null
  body?: string
}

async function refused(
  path: string,
  code: ErrorCode,
  { method = 'GET', key, body }: RequestOptions = {},
  status?: number,
) {
  const apiKey = key === undefined ? engine.served.apiKey : key
  const response = await fetch(`${engine.served.url}${path}`, {
    method,
    headers: {
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(answerWithinMs),
  })
  const answer = (await response.json()) as { success: boolean; error: Record<string, unknown> }
  expect([response.status, answer.error?.code], `${method} ${path}: ${JSON.stringify(answer)}`).toEqual([
    status ?? statusOf(code),
    code,
  ])
  expect(answer.success).toBe(false)
  expect(answer.error.message).toEqual(expect.stringMatching(/.+/))
  expect(answer.error.retryable).toBe(isRetryable(code))
  expect(answer.error.requestId).toBe(response.headers.get('x-request-id'))
  expect(answer.error.requestId).toEqual(expect.stringMatching(/.+/))
  return { response, error: answer.error }
}

/** Not requested by any other test: ids that the venue recently did not know are not requested again. */
const unusedIds = { polymarket: '3'.repeat(77), kalshi: 'KXNOSUCH-99JAN01-T3' }
const unknownIds = { polymarket: ['1'.repeat(77), 'no-such-market'], kalshi: ['KXNOSUCH-99JAN01-T1', 'no such ticker'] }

// Both venues at once; the silence of a venue is tested while nothing else uses it.
describe.concurrent.each(['polymarket', 'kalshi'] as const)('%s', (venue) => {
  const since = Date.now() - 60_000
  const replay = (more: string) => `/v1/history/replay?venue=${venue}&kind=tob&since=${since}&until=${since + 1}${more}`

  it('an unknown outcome is 404 OUTCOME_NOT_FOUND, by GET and by POST', async () => {
    for (const id of unknownIds[venue]) {
      for (const verb of ['fetchOrderBook', 'fetchTrades']) {
        await refused(`/api/${venue}/${verb}?outcomeId=${encodeURIComponent(id)}`, 'OUTCOME_NOT_FOUND')
      }
      const body = JSON.stringify({ args: [id] })
      await refused(`/api/${venue}/fetchOrderBook`, 'OUTCOME_NOT_FOUND', { method: 'POST', body })
    }
  })

  it('an unknown market and an unknown event are 404 by their own names', async () => {
    await refused(`/api/${venue}/fetchMarket?marketId=${unknownIds[venue][0]}`, 'MARKET_NOT_FOUND')
    await refused(`/api/${venue}/fetchEvent?eventId=no-such-event`, 'EVENT_NOT_FOUND')
  })

  it('a forged cursor is 400', async () => {
    await refused(`/api/${venue}/fetchMarketsPaginated?cursor=bm9wZQ`, 'VALIDATION_ERROR')
    await refused(replay(`&outcomeId=${engine.fresh(venue)}&cursor=bm9wZQ`), 'VALIDATION_ERROR')
  })

  it('a body above the limit is 413, with or without a key', async () => {
    const body = `{"args":["${'x'.repeat(bodyBytesMax)}"]}`
    for (const key of [undefined, null] as const) {
      await refused(`/api/${venue}/fetchOrderBook`, 'VALIDATION_ERROR', { method: 'POST', body, key }, 413)
    }
  })

  it('a method that is not served is 405 and names those that are', async () => {
    const { response } = await refused(`/api/${venue}/fetchOrderBook`, 'BAD_REQUEST', { method: 'DELETE' }, 405)
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
  })

  it('a missing key and a wrong key are 401', async () => {
    const path = `/api/${venue}/fetchOrderBook?outcomeId=${engine.fresh(venue)}`
    for (const key of [null, 'nobody', `xb_live_${'a'.repeat(43)}`]) await refused(path, 'UNAUTHORIZED', { key })
    await refused(replay('&outcomeId=x'), 'UNAUTHORIZED', { key: null })
  })

  it.sequential('a venue that does not answer is NETWORK_ERROR, retryable and by name, within the time limit', async () => {
    const { faults } = engine.lab[venue]
    try {
      faults.slow({ delayMs: 60_000, where: 'http' })
      const { error } = await refused(`/api/${venue}/fetchOrderBook?outcomeId=${engine.fresh(venue)}`, 'NETWORK_ERROR')
      expect(error.exchange).toBe(venue)
      faults.recover()
      faults.http({ status: 500 })
      await refused(`/api/${venue}/fetchOrderBook?outcomeId=${engine.fresh(venue)}`, 'NETWORK_ERROR')
      faults.recover()
      faults.http({ status: 429, retryAfterSeconds: 1 })
      const limited = await refused(`/api/${venue}/fetchOrderBook?outcomeId=${engine.fresh(venue)}`, 'NETWORK_ERROR')
      expect(Number(limited.response.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      faults.recover()
    }
    // Until then nothing in this process reads there.
    const path = `/api/${venue}/fetchOrderBook?outcomeId=${unusedIds[venue]}`
    await eventually(async () => void (await refused(path, 'OUTCOME_NOT_FOUND')))
  })

  it('the stream refuses an unknown market and an unknown venue and stays open', async () => {
    const client = await StreamClient.open(engine.served)
    try {
      client.subscribe(venue, unknownIds[venue][0]!)
      const refusal = await client.frame(({ type }) => type === 'error')
      expect(refusal).toMatchObject({ code: 'MARKET_NOT_FOUND', venue, marketId: unknownIds[venue][0] })
      client.subscribe('nowhere', 'x')
      await client.frame(({ type, venue: name }) => type === 'error' && name === 'nowhere')
      client.subscribe(venue, engine.fresh(venue))
      await client.frame(({ type }) => type === 'snapshot')
    } finally {
      client.close()
    }
  })
})

it('an unbuilt venue is no exchange', async () => {
  await refused('/api/opinion/fetchMarkets', 'EXCHANGE_NOT_AVAILABLE')
})

it.each(['nowhere', 'smarkets', 'predictit'])('there is no exchange %s', async (exchange) => {
  await refused(`/api/${exchange}/fetchMarkets`, 'EXCHANGE_NOT_AVAILABLE')
  await refused(`/api/${exchange}/fetchOrderBook?outcomeId=x`, 'EXCHANGE_NOT_AVAILABLE')
  await refused(`/v1/history/replay?venue=${exchange}&outcomeId=x&kind=tob&since=0&until=1`, 'EXCHANGE_NOT_AVAILABLE')
})

it('a private verb is 501 and names the execution routes; an unknown path is 404', async () => {
  const { error } = await refused('/api/kalshi/createOrder', 'NOT_SUPPORTED', { method: 'POST', body: '{"args":[]}' })
  expect(error.message).toMatch(/exec/)
  await refused('/api/kalshi/nope', 'ROUTE_NOT_FOUND')
})

it('both venues still answer afterwards', async () => {
  for (const venue of ['polymarket', 'kalshi'] as const) {
    await eventually(async () => {
      const path = `/api/${venue}/fetchOrderBook?outcomeId=${engine.fresh(venue)}`
      const headers = { authorization: `Bearer ${engine.served.apiKey}` }
      expect((await fetch(`${engine.served.url}${path}`, { headers })).status).toBe(200)
    })
  }
})
