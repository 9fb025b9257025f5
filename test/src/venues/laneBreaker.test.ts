// Wrong credentials against the lab of each venue, through the whole core: reported, counted, and no longer sent after five refusals, while
// valid ones continue. Other errors are not counted, and cancellations are never blocked.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startAnswerProxy } from '#test/support/answerProxy'
import { createExecutionWorld, type ExecutionWorld } from '#test/support/execution/world'
import { laneCases, type OpenCase } from '#test/support/laneCases'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const credentialed = Object.entries(laneCases).filter(([, { lane }]) => lane.refresh?.credentialFree === false)

describe.each(credentialed)('%s', (slug, { lane, orderPath, words, open }) => {
  let opened: OpenCase
  let core: ExecutionWorld
  let id: string
  let signature: Record<string, string>
  beforeEach(async () => {
    opened = await open()
    const { context, clock } = opened.here.world
    core = await createExecutionWorld(pg.pool, { lanes: [lane], clock })
    core.lanes.set(slug, { lane, context: (signal) => ({ ...context, signal }) })
    const built = await core.world.post(`/v1/exec/${slug}/orders/build`, opened.order, key('b'))
    expect(built.status).toBe(200)
    id = built.json.data.executionId
    signature = await opened.signed(built.json.data.unsigned, 'order')
  })
  afterEach(async () => {
    await core.close()
    await opened.here.close()
  })

  const key = (name: string) => ({ headers: { 'idempotency-key': name } })
  const submit = async (credentials: object, name: string) => {
    const path = `/v1/exec/${slug}/orders/${id}/submit`
    const { status, json } = await core.world.post(path, { ...credentials, ...signature }, key(name))
    return [status, json.success ? json.data.status : json.error.code]
  }
  const refresh = async (credentials: object) => {
    const { status, json } = await core.world.post(`/v1/exec/${slug}/orders/${id}/refresh`, credentials)
    return [status, json.success ? json.data.status : json.error.code]
  }
  const requestCount = () =>
    Object.values(opened.here.lab.counters().httpRequests).reduce((sum, count) => sum + count, 0)

  it('five refusals of one key block that key, in submit and in refresh, and no other key', async () => {
    for (const n of [1, 2, 3]) expect(await submit(opened.wrong!, `s${n}`)).toEqual([401, 'VENUE_CREDENTIAL_REJECTED'])
    expect(await submit(opened.credentials, 's4')).toEqual([200, 'acked'])
    for (const _ of [4, 5]) expect(await refresh(opened.wrong!)).toEqual([401, 'VENUE_CREDENTIAL_REJECTED'])
    const before = requestCount()
    expect(await refresh(opened.wrong!)).toEqual([429, 'VENUE_CREDENTIAL_BREAKER_OPEN'])
    expect(requestCount()).toBe(before)
    expect((await refresh(opened.credentials))[0]).toBe(200)
    opened.here.world.clock.advance(5 * 60_000)
    expect(await refresh(opened.wrong!)).toEqual([401, 'VENUE_CREDENTIAL_REJECTED'])
  })

  it.skipIf(lane.cancel === undefined)(
    'a blocked key can still cancel, and the cancellation can still be refreshed',
    async () => {
      expect(await submit(opened.credentials, 's')).toEqual([200, 'acked'])
      const cancel = await core.world.post(`/v1/exec/${slug}/orders/${id}/cancel`, {}, key('c'))
      const { executionId: cancelId, unsigned } = cancel.json.data
      for (let n = 0; n < 5; n++) core.deps.breaker.of(slug, lane.refresh!.body.parse(opened.credentials)).refused()
      expect(await refresh(opened.credentials)).toEqual([429, 'VENUE_CREDENTIAL_BREAKER_OPEN'])
      const body = { ...opened.credentials, ...(await opened.signed(unsigned, 'cancel')) }
      const sent = await core.world.post(`/v1/exec/${slug}/orders/${cancelId}/submit`, body, key('sc'))
      expect([sent.status, sent.json.data?.status], sent.text).toEqual([200, 'acked'])
      const seen = await core.world.post(`/v1/exec/${slug}/orders/${cancelId}/refresh`, opened.credentials)
      expect(seen.status).toBe(200)
    },
  )

  it('HTML pages from a CDN never open the breaker', async () => {
    const proxy = await startAnswerProxy(opened.here.world.context.urls)
    const { context } = opened.here.world
    core.lanes.set(slug, { lane, context: (signal) => ({ ...context, urls: proxy.urls, signal }) })
    expect(await submit(opened.credentials, 's')).toEqual([200, 'acked'])
    proxy.answerAll({ status: 403, text: '<html>blocked</html>' })
    for (let n = 0; n < 7; n++) expect((await refresh(opened.credentials))[1]).toBe('NETWORK_ERROR')
    proxy.answerAll(null)
    expect((await refresh(opened.credentials))[0]).toBe(200)
    await proxy.close()
  })

  it('rate limits are never counted as credential errors', async () => {
    if (words.limited === null) return
    opened.here.lab.faults.http({ status: 429, count: 7, path: orderPath })
    for (let n = 0; n < 7; n++) expect((await submit(opened.credentials, `s${n}`))[1]).toBe('NETWORK_ERROR')
    expect(await submit(opened.credentials, 'at last')).toEqual([200, 'acked'])
  })
})
