import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import type { Fault } from '#core/fault'
import { Secret } from '#core/secret'
import { createLaneWorld, type LaneWorld } from '#test/support/laneWorld'
import { type ApiKeyClient, findKeyed, readKeyed, sendKeyed } from '#venues/shared/exec/apiKeyClient'

const credentials = { key: new Secret('canary-key-41a7'), secret: new Secret('canary-secret-9c02') }
const ErrorBody = z.object({ error: z.string() })
/** Signs with the time of sending. */
const api: ApiKeyClient<typeof credentials> = {
  venue: 'gemini',
  base: 'REST',
  words: {
    alsoUnder: [],
    refusal(body) {
      const parsed = ErrorBody.safeParse(body)
      return parsed.success
        ? { means: /key/.test(parsed.data.error) ? 'credential' : 'order', text: parsed.data.error }
        : null
    },
  },
  headers: ({ clock }, { key }, { method, path }) => ({
    'x-key': key.reveal(),
    'x-at': `${clock.now()} ${method} ${path}`,
  }),
}

let world: LaneWorld
beforeAll(async () => {
  world = await createLaneWorld('gemini', ['REST'])
})
beforeEach(() => void world.seen.splice(0))
afterAll(() => world.close())

const readRequest = () => ({ context: world.context, credentials, path: '/order', shape: z.object({ id: z.string() }) })

it('an order is sent once, signed when it is sent, and the response contains no credentials', async () => {
  world.answer(() => ({ status: 500, text: 'canary-key-41a7 and canary-secret-9c02 are unknown' }))
  const sent = await sendKeyed(api, world.context, credentials, { method: 'POST', path: '/order', text: '{"a":1}' })
  expect(sent).toMatchObject({ kind: 'answered', status: 500, text: '[secret] and [secret] are unknown' })
  expect(world.seen).toMatchObject([
    { method: 'POST', text: '{"a":1}', headers: { 'x-at': `${world.clock.now()} POST /order` } },
  ])
})

it('an object unknown to the venue is null for a lookup and a fault for a required read', async () => {
  world.answer(() => ({ status: 404, body: { error: 'no such order' } }))
  expect(await findKeyed(api, readRequest())).toBeNull()
  await expect(readKeyed(api, readRequest())).rejects.toThrowError(expect.objectContaining({ code: 'NETWORK_ERROR' }))
  // An unrelated page proves nothing about the order.
  world.answer(() => ({ status: 404, body: {} }))
  await expect(findKeyed(api, readRequest())).rejects.toThrowError(expect.objectContaining({ code: 'NETWORK_ERROR' }))
})

it('a read has its query, and the echoed credentials are redacted', async () => {
  world.answer(() => ({ status: 200, body: { id: 'of canary-key-41a7' } }))
  expect(await readKeyed(api, { ...readRequest(), query: { ids: ['1', '2'] } })).toEqual({ id: 'of [secret]' })
  expect(world.seen[0]).toMatchObject({ method: 'GET', path: '/order?ids=1&ids=2', text: '' })
})

it('a rejected key is reported as such; a body in another format is not', async () => {
  world.answer(() => ({ status: 401, body: { error: 'unknown key canary-key-41a7' } }))
  const refused: unknown = await findKeyed(api, readRequest()).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED', exchange: 'gemini' })
  expect((refused as Fault).detail).not.toContain('canary')
  for (const [status, body] of [
    [200, { id: 1 }],
    [200, null],
    [401, { message: 'key' }],
  ] as const) {
    world.answer(() => ({ status, body }))
    await expect(readKeyed(api, readRequest())).rejects.toThrowError(expect.objectContaining({ code: 'NETWORK_ERROR' }))
  }
})
