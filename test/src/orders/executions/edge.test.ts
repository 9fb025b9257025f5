// A proxy in front of the venue answers in its place, after the venue accepted the order: every adapter on the real routes, its lab and a
// proxy. The order rests, so no status may be final, and no retry may place another one.
import { expect, it } from 'vitest'
import { type Instead, startAnswerProxy } from '#test/support/answerProxy'
import { executionSuite, refused } from '#test/support/execution/suite'
import { laneCases } from '#test/support/laneCases'
import { type LaneLab, readBody } from '#test/support/laneLab'
import type { LaneVenue } from '#venues/registry'

const { worldOf } = executionSuite()
const html = '<html><head><title>Attention Required!</title></head></html>'

const edges: readonly [name: string, instead: Instead][] = [
  ['499 with an empty body', { status: 499, text: '' }],
  ['404 in HTML', { status: 404, text: html }],
  ['409 in unknown JSON', { status: 409, text: '{"statusCode":409,"code":"CONFLICT"}' }],
  ['403 in HTML', { status: 403, text: html }],
  ['401 with an empty body', { status: 401, text: '' }],
  ['429 in HTML', { status: 429, text: html }],
  ['a redirect', { status: 302, text: '', headers: { location: '/login' } }],
  ['200 in HTML', { status: 200, text: html }],
]

it.each(Object.keys(laneCases) as LaneVenue[])(
  '%s: the answer of a proxy to an accepted order ends nothing and duplicates nothing',
  async (venue) => {
    const { lane, orderPath, cancelBody, shows, open } = laneCases[venue]
    const table = await open()
    const here = table.here as LaneLab<LaneVenue>
    const proxy = await startAnswerProxy(here.world.context.urls)
    try {
      const { world } = await worldOf({
        lanes: [lane],
        clock: here.world.clock,
        contextOf: (signal) => ({ ...here.world.context, urls: proxy.urls, signal }),
      })
      const post = (path: string, body: object, key?: string) =>
        world.post(`/v1/exec/${venue}/orders/${path}`, body, key ? { headers: { 'idempotency-key': key } } : {})
      for (const [i, [name, instead]] of edges.entries()) {
        const before = table.orders().length
        const built = await post('build', table.order, `b${i}`)
        const { executionId: id, unsigned } = built.json.data
        const body = { ...table.credentials, ...(await table.signed(unsigned, 'order')) }
        proxy.answerInstead(orderPath, instead)
        const sent = await post(`${id}/submit`, body, `s${i}`)
        expect([name, sent.json.data?.status, sent.json.error?.code]).toEqual([name, 'submitted', undefined])
        const again = await post(`${id}/submit`, body, `s${i}`)
        expect([again.json.data.status, again.headers['idempotency-replay']]).toEqual(['submitted', 'true'])
        const other = await post(`${id}/submit`, body, `t${i}`)
        // The same transaction may be sent again: its hash makes it one order.
        if (venue === 'rain') expect(other.status).toBe(200)
        else expect(refused(other)).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
        expect(table.orders()).toHaveLength(before + 1)
        const found = await post(`${id}/refresh`, readBody(lane, table.credentials))
        expect([name, found.json.data?.status], found.text).toEqual([name, shows.lost ? 'acked' : 'submitted'])
        if (!shows.lost) continue
        if (lane.cancel === undefined) here.withdraw(table.orders().at(-1)!)
        else {
          const cancel = (await post(`${id}/cancel`, cancelBody(table.orders().at(-1)!), `c${i}`)).json.data
          const leave = { ...table.credentials, ...(await table.signed(cancel.unsigned, 'cancel')) }
          expect((await post(`${cancel.executionId}/submit`, leave, `l${i}`)).json.data?.status).toBe('acked')
        }
        here.world.clock.advance(60_000)
      }
    } finally {
      await proxy.close()
      await here.close()
    }
  },
  60_000,
)
