// A key of 24,000 bits once blocked the gateway for 26 seconds, at no cost to its sender.
import { expect, it } from 'vitest'
import { executionSuite } from '#test/support/execution/suite'
import { laneCases } from '#test/support/laneCases'
import { rsaPem } from '#test/support/rsaPem'

const { worldOf } = executionSuite()

it('rejects a crafted key in submit and refresh before any calculation or request, and blocks no other key', async () => {
  const { lane, open } = laneCases.kalshi
  const table = await open()
  try {
    const { context, clock } = table.here.world
    let turns = 0
    const heavy: typeof context.heavy = async (work) => {
      turns++
      return work()
    }
    const { world } = await worldOf({ lanes: [lane], clock, contextOf: (signal) => ({ ...context, signal, heavy }) })
    const post = (path: string, body: object, key?: string) =>
      world.post(`/v1/exec/kalshi/orders/${path}`, body, key ? { headers: { 'idempotency-key': key } } : {})
    const small = Buffer.of(3)
    const privateKeyPem = rsaPem([Buffer.of(0), Buffer.alloc(3_000, 0xff), ...Array.from({ length: 7 }, () => small)])
    const crafted = { ...table.credentials, privateKeyPem }
    const refusal = { code: 'VENUE_CREDENTIAL_REJECTED', message: expect.stringContaining('2048 to 4096 bits') }

    const id = (await post('build', table.order, 'b')).json.data.executionId
    const requestCount = () =>
      Object.values(table.here.lab.counters().httpRequests).reduce((sum, count) => sum + count, 0)
    const before = requestCount()
    for (let n = 0; n < 7; n++) {
      const reply = await post(`${id}/submit`, crafted, `s${n}`)
      expect([reply.status, reply.json.error]).toMatchObject([401, refusal])
    }
    expect([turns, requestCount()]).toEqual([0, before])
    expect((await post(`${id}/submit`, table.credentials, 's')).json.data.status).toBe('acked')
    const signed = turns
    for (let n = 0; n < 7; n++) {
      const reply = await post(`${id}/refresh`, crafted)
      expect([reply.status, reply.json.error]).toMatchObject([401, refusal])
    }
    expect(turns).toBe(signed)
    expect((await post(`${id}/refresh`, table.credentials)).json.data.status).toBe('acked')
  } finally {
    await table.here.close()
  }
}, 60_000)
