// Wrong credentials against the lab of each venue, through the whole core: told as such, counted, and after five no longer sent. What is
// not the credentials' fault is not counted, and the order is never touched.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createExecutionWorld, type ExecutionWorld } from '#test/support/execution/world'
import { laneCases, type OpenCase } from '#test/support/laneCases'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const credentialed = Object.entries(laneCases).filter(([, { lane }]) => lane.refresh?.credentialFree === false)

describe.each(credentialed)('%s', (slug, { lane, orderPath, open }) => {
  let opened: OpenCase
  let core: ExecutionWorld
  let id: string
  let signature: Record<string, string>
  beforeEach(async () => {
    opened = await open()
    const { context, clock } = opened.here.world
    core = await createExecutionWorld(pg.pool, { lanes: [lane], clock })
    core.lanes.set(slug, { lane, context: (signal) => ({ ...context, signal }) })
    const built = await core.world.post(`/v1/exec/${slug}/orders/build`, opened.body, key('b'))
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
  const asked = () => Object.values(opened.here.lab.counters().httpRequests).reduce((sum, count) => sum + count, 0)

  it('five refusals open the breaker: nothing more is sent, and the order can still be placed when it closes', async () => {
    for (const n of [1, 2, 3, 4, 5])
      expect(await submit(opened.wrong!, `s${n}`)).toEqual([401, 'VENUE_CREDENTIAL_REJECTED'])
    const before = asked()
    expect(await submit(opened.credentials, 's6')).toEqual([429, 'VENUE_CREDENTIAL_BREAKER_OPEN'])
    expect(asked()).toBe(before)
    opened.here.world.clock.advance(5 * 60_000)
    expect(await submit(opened.credentials, 's7')).toEqual([200, 'acked'])
    for (let n = 0; n < 5; n++) expect(await refresh(opened.wrong!)).toEqual([401, 'VENUE_CREDENTIAL_REJECTED'])
    expect(await refresh(opened.credentials)).toEqual([429, 'VENUE_CREDENTIAL_BREAKER_OPEN'])
  })

  it('a venue that limits requests is not the credentials’ fault, however often', async () => {
    opened.here.lab.faults.http({ status: 429, count: 7, path: orderPath })
    for (let n = 0; n < 7; n++) expect((await submit(opened.credentials, `s${n}`))[1]).toBe('NETWORK_ERROR')
    expect(await submit(opened.credentials, 'at last')).toEqual([200, 'acked'])
  })
})
