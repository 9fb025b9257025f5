import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { executionOf, type Reply, submit } from '#test/support/laneWorld'
import { polymarketLane as lane } from '#venues/polymarket/exec/index'
import { credentials, laneSuite } from './world.ts'

const here = laneSuite()
const { placed, sign } = here

describe('submit', () => {
  const error = (status: number, text: string): Reply => ({ status, body: { error: text } })
  const cases: [string, Reply, string][] = [
    ['live', { body: { success: true, orderID: '0x1', status: 'live' } }, 'accepted'],
    ['200 with a rejection', { body: { success: false, errorMsg: 'not enough balance / allowance' } }, 'rejected'],
    ['200 with text and no order', { body: { success: true, orderID: '', errorMsg: 'invalid nonce' } }, 'rejected'],
    ['200 of an unexpected format', { body: {} }, 'unknown'],
    ['400', error(400, 'invalid signature'), 'rejected'],
    ['a duplicate', error(400, 'order 0x1 is invalid. Duplicated.'), 'unknown'],
    ['context canceled', error(400, 'context canceled'), 'unknown'],
    ['an internal error', error(400, 'could not run the execution'), 'unknown'],
    ['an upstream error', error(400, 'rpc error: code = Unavailable'), 'unknown'],
    ['an internal error in a 200', { body: { success: false, errorMsg: 'error delaying the order' } }, 'unknown'],
    ['a foreign key', error(400, 'the order owner has to be the owner of the API KEY'), 'refused'],
    ['401', error(401, 'Unauthorized/Invalid api key'), 'refused'],
    ['403 from the CDN', { status: 403, text: '<html>' }, 'unknown'],
    ['400 of a proxy', { status: 400, text: '<html>' }, 'unknown'],
    ['425', error(425, 'matching engine restarting'), 'refused'],
    ['425 for a service that is not ready', error(425, 'service not ready'), 'refused'],
    [
      '200 with a rejected wallet',
      {
        body: {
          success: false,
          orderID: '',
          status: '',
          errorMsg: 'maker address not allowed, please use the deposit wallet flow',
        },
      },
      'rejected',
    ],
    ['425 without a reason', { status: 425 }, 'unknown'],
    ['429', error(429, 'Too Many Requests'), 'refused'],
    ['500', error(500, 'could not insert order'), 'unknown'],
    ['503 closed', error(503, 'Trading is currently disabled. Check polymarket.com for updates'), 'refused'],
    ['503', { status: 503, text: 'busy' }, 'unknown'],
    ['a cut connection', 'cut', 'unknown'],
  ]
  it.each(cases)('%s', async (_, reply, kind) => {
    const execution = await placed()
    here.world.answer(() => reply)
    here.world.seen.length = 0
    const { outcome, prepared } = await submit(lane, here.world.context, execution, {
      ...credentials,
      signature: await sign(execution),
    })
    expect(outcome.kind).toBe(kind)
    expect(prepared.venueRef).toBe(execution.clientRef)
    expect(JSON.stringify(prepared)).not.toContain(credentials.apiKey)
    expect(here.world.seen).toHaveLength(1)
  })

  it.each<[number, string, string]>([
    [400, 'Invalid order payload', 'rejected'],
    [400, 'the order owner has to be the owner of the API KEY', 'refused'],
    [400, 'the order signer address has to be the address of the API KEY', 'refused'],
    [400, "'0x1' address banned", 'rejected'],
    [400, "'0x1' address in closed only mode", 'rejected'],
    [400, 'order_version_mismatch', 'rejected'],
    [400, 'invalid signature', 'rejected'],
    [400, 'order 0x1 is invalid. Price (0.565) breaks minimum tick size rule: 0.01', 'rejected'],
    [400, 'order 0x1 is invalid. Size (1) lower than the minimum: 5', 'rejected'],
    [400, 'order 0x1 is invalid. Duplicated.', 'unknown'],
    [400, 'order 0x1 crosses the book', 'rejected'],
    [400, 'not enough balance / allowance', 'rejected'],
    [400, 'invalid expiration', 'rejected'],
    [400, 'invalid nonce', 'rejected'],
    [400, 'order canceled in the CTF exchange contract', 'rejected'],
    [400, 'order match delayed due to market conditions', 'unknown'],
    [400, 'the market is not yet ready to process new orders', 'rejected'],
    [401, 'Unauthorized/Invalid api key', 'refused'],
    [401, 'Invalid API key', 'refused'],
    [401, 'Invalid L1 Request headers', 'refused'],
    [404, 'No orderbook exists for the requested token id', 'rejected'],
    [404, 'market not found', 'rejected'],
    [400, 'maker address not allowed, please use the deposit wallet flow', 'rejected'],
    [400, 'the orderbook 7132104567925 does not exist', 'rejected'],
    [400, 'market 0xabc is closed', 'rejected'],
    [400, 'market is not accepting orders', 'rejected'],
    [400, 'invalid fee rate (0), current market taker fee: 1000', 'rejected'],
    [400, 'invalid amounts, the buy orders maker amount supports a max accuracy of 5 decimals', 'rejected'],
    [403, 'Trading restricted in your region, please refer to available regions', 'rejected'],
    [403, 'Forbidden', 'unknown'],
    [400, 'the market order is being processed', 'unknown'],
    [500, 'could not insert order', 'unknown'],
    [500, 'there are no matching orders', 'unknown'],
    [500, 'the trade contains rounding issues', 'unknown'],
    [500, 'Internal server error', 'unknown'],
  ])('the venue’s response: %i %s is %s', async (status, text, kind) => {
    const execution = await placed()
    here.world.answer(() => error(status, text))
    const { outcome } = await submit(lane, here.world.context, execution, {
      ...credentials,
      signature: await sign(execution),
    })
    expect(outcome).toMatchObject(kind === 'unknown' ? { kind } : { kind, reason: expect.stringContaining(text) })
  })

  it('a rejection that points to the deposit wallet explains how to build the order', async () => {
    const execution = await placed()
    here.world.answer(() => error(400, 'maker address not allowed, please use the deposit wallet flow'))
    const sent = { ...credentials, signature: await sign(execution) }
    const { outcome } = await submit(lane, here.world.context, execution, sent)
    expect(outcome).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/signatureType 3 .* funder/) })
  })

  it.each([
    'Trading is currently disabled. Check polymarket.com for updates',
    'Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.',
    'post-only mode: only post-only orders and cancels are allowed',
  ])('a temporary halt has placed nothing, and the order can be sent again: %s', async (text) => {
    const execution = await placed()
    here.world.answer(() => error(503, text))
    const { outcome } = await submit(lane, here.world.context, execution, {
      ...credentials,
      signature: await sign(execution),
    })
    const reason = 'polymarket takes no such orders now; nothing was placed'
    expect(outcome).toEqual({ kind: 'refused', code: 'NETWORK_ERROR', reason })
  })

  it('rejects a foreign signature, one over another order, and a missing one, and sends nothing', async () => {
    const execution = await placed()
    const other = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    here.world.seen.length = 0
    for (const signature of [
      await sign(execution, other),
      await sign(await placed()),
      `0x${'00'.repeat(65)}`,
      undefined,
    ]) {
      here.world.seen.length = 0
      await expect(submit(lane, here.world.context, execution, { ...credentials, signature })).rejects.toMatchObject({
        code: signature === undefined ? 'VALIDATION_ERROR' : 'INVALID_SIGNATURE',
      })
      expect(here.world.seen).toHaveLength(0)
    }
  })

  it('cancel is DELETE /order with L2 headers', async () => {
    const execution = await placed()
    const target = { ...execution, venueRef: execution.clientRef, status: 'acked' as const }
    const built = await lane.cancel!.build(here.world.context, target, {} as never)
    lane.checkBounds(built.unsigned, built.bounds)
    here.world.answer(() => ({ body: { canceled: [target.venueRef], not_canceled: {} } }))
    const { outcome } = await submit(lane, here.world.context, executionOf(built, { target }, 'cancel'), credentials)
    expect(outcome).toMatchObject({ kind: 'accepted', venueRef: target.venueRef })
    expect(here.world.seen.at(-1)).toMatchObject({
      method: 'DELETE',
      path: '/order',
      text: JSON.stringify({ orderID: target.venueRef }),
    })
    here.world.answer(() => ({ body: { canceled: [], not_canceled: { [target.venueRef!]: 'already matched' } } }))
    const again = await submit(lane, here.world.context, executionOf(built, { target }, 'cancel'), credentials)
    expect(again.outcome).toEqual({ kind: 'rejected', reason: 'already matched' })
  })
})
