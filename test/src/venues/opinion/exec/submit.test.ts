import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { executionOf, type Reply, submit } from '#test/support/laneWorld'
import { opinionLane as lane } from '#venues/opinion/exec/index'
import { credentials, laneSuite, market, marketId, ok, owner } from './world.ts'

const here = laneSuite()
const { placed, sign } = here

describe('submit', () => {
  const errorAnswer = (errno: number, errmsg: string, status = 200): Reply => ({
    status,
    body: { errno, errmsg, result: null },
  })
  const taken = { orderData: { orderId: 'a11ee07e', filledShares: '0', status: 1 } }
  it.each<[string, Reply, string]>([
    ['taken', ok(taken), 'accepted'],
    ['accepted, in the documentation’s other format', { body: { code: 0, msg: '', result: taken } }, 'accepted'],
    ['an answer without an id', ok({ orderData: {} }), 'unknown'],
    ['trading not enabled', errorAnswer(10_014, 'Please enable trading first'), 'rejected'],
    [
      'a region',
      errorAnswer(10_403, 'API is not available to persons located in the United States, China'),
      'rejected',
    ],
    ['no balance', errorAnswer(10_207, 'Insufficient token balance'), 'rejected'],
    ['too small', errorAnswer(10_300, 'order value is below the minimum required value'), 'rejected'],
    ['another Safe', errorAnswer(10_301, 'maker must be the current multi-signature wallet'), 'rejected'],
    ['the same under 400', errorAnswer(10_207, 'Insufficient token balance', 400), 'rejected'],
    ['an unknown code', errorAnswer(10_999, 'no'), 'unknown'],
    ['a wrong key', errorAnswer(11_002, 'Invalid API key', 401), 'refused'],
    ['a key without a wallet', errorAnswer(11_001, 'This API Key has no related Opinion Login Wallet yet'), 'refused'],
    ['401 from the CDN', { status: 401, text: '<html>' }, 'unknown'],
    ['429', errorAnswer(429, 'Too many requests', 429), 'unknown'],
    ['500', errorAnswer(10_500, 'Internal server error', 500), 'unknown'],
    ['a cut connection', 'cut', 'unknown'],
  ])('%s', async (_, reply, kind) => {
    const execution = await placed()
    here.world.answer(() => reply)
    here.world.seen.length = 0
    const signature = await sign(execution)
    const { outcome, prepared } = await submit(lane, here.world.context, execution, { ...credentials, signature })
    expect(outcome.kind).toBe(kind)
    expect(prepared.venueRef).toBeNull()
    expect(JSON.stringify(prepared)).not.toContain(credentials.apiKey)
    expect(here.world.seen).toMatchObject([{ method: 'POST', path: '/order', headers: { apikey: credentials.apiKey } }])
  })

  it('rejects a foreign signature, one over another order, and a missing one, and sends nothing', async () => {
    const execution = await placed()
    const other = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    here.world.seen.length = 0
    const wrong = [await sign(execution, other), `0x${'00'.repeat(65)}`, undefined]
    for (const signature of wrong) {
      await expect(submit(lane, here.world.context, execution, { ...credentials, signature })).rejects.toMatchObject({
        code: signature === undefined ? 'VALIDATION_ERROR' : 'INVALID_SIGNATURE',
      })
    }
    expect(here.world.seen).toEqual([])
  })

  it('a redemption is sent by its holder', async () => {
    here.world.outcomes.splice(0, 2, ...market('resolved'))
    const built = await lane.redeem!.build(here.world.context, lane.redeem!.body.parse({ outcome: marketId, owner }))
    lane.checkBounds(built.unsigned, built.bounds)
    const execution = executionOf(built, {}, 'redeem')
    await expect(submit(lane, here.world.context, execution, credentials)).rejects.toMatchObject({
      code: 'NOT_IMPLEMENTED',
    })
  })
})
