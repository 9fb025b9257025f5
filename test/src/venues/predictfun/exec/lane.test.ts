// Submit and refresh with answers written by hand.
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { executionOf, type Reply, submit } from '#test/support/laneWorld'
import { predictfunLane as lane } from '#venues/predictfun/exec/index'
import { credentials, laneSuite, market, marketId, owner, signatureOf, smartWallet } from './world.ts'

const here = laneSuite()
const { build, placed, read } = here
const refusal = (status: number, error: string, message = 'no'): Reply => ({
  status,
  body: { success: false, code: status, error, message },
})

describe('submit', () => {
  const hash = `0x${'5A'.repeat(32)}`
  it.each<[string, Reply, string]>([
    [
      'taken',
      { status: 201, body: { success: true, data: { code: 'OK', orderHash: hash, orderId: '1' } } },
      'accepted',
    ],
    ['an answer without a hash', { body: { success: true, data: { code: 'OK' } } }, 'unknown'],
    ['no allowance', refusal(400, 'create_order_insufficient_collateral_allowance'), 'rejected'],
    ['no shares', refusal(400, 'create_order_insufficient_shares_allowance'), 'rejected'],
    ['too small', refusal(400, 'create_order_min_order_value_not_met'), 'rejected'],
    ['a closed market', refusal(400, 'create_order_market_not_trading'), 'rejected'],
    ['another hash', refusal(400, 'create_order_hash_mismatch'), 'rejected'],
    ['a malformed one', refusal(400, 'bad_request'), 'rejected'],
    ['no such market', refusal(404, 'not_found', 'market not found'), 'rejected'],
    ['a repeat', refusal(400, 'create_order_duplicate_order'), 'unknown'],
    ['an unknown error name', refusal(400, 'something_else'), 'unknown'],
    ['a wrong token', refusal(401, 'unauthorized', 'authorization error'), 'refused'],
    ['an order of another wallet', refusal(401, 'unauthorized', 'hashes do not belong to this wallet'), 'unknown'],
    ['401 from the CDN', { status: 401, text: '<html>' }, 'unknown'],
    ['429', refusal(429, 'too_many_requests'), 'refused'],
    ['429 of a proxy', { status: 429, text: '<html>' }, 'unknown'],
    ['a low balance', refusal(400, 'create_order_insufficient_collateral_balance'), 'rejected'],
    ['a blocked region', refusal(403, 'forbidden', 'restricted region'), 'rejected'],
    ['500', refusal(500, 'internal_server_error'), 'unknown'],
    ['a cut connection', 'cut', 'unknown'],
  ])('%s', async (_, reply, kind) => {
    const execution = await placed()
    here.world.answer(() => reply)
    const signature = await signatureOf(execution.unsigned)
    const { outcome, prepared } = await submit(lane, here.world.context, execution, { ...credentials, signature })
    expect(outcome.kind).toBe(kind)
    expect(prepared.venueRef).toBe(execution.clientRef)
    for (const secret of Object.values(credentials)) expect(JSON.stringify(prepared)).not.toContain(secret)
    expect(here.world.seen).toHaveLength(1)
  })

  it('rejects a foreign signature, one over another order, and a missing one, and sends nothing', async () => {
    const other = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    for (const wallet of [{}, { predictAccount: smartWallet }]) {
      const execution = executionOf(await build(wallet))
      // A smart wallet’s order is not signed as typed data.
      const { kernel, ...plain } = execution.unsigned
      const typed = kernel === undefined ? undefined : await signatureOf(plain)
      for (const signature of [await signatureOf(execution.unsigned, other), typed, `0x${'00'.repeat(65)}`]) {
        await expect(submit(lane, here.world.context, execution, { ...credentials, signature })).rejects.toMatchObject({
          code: signature === undefined ? 'VALIDATION_ERROR' : 'INVALID_SIGNATURE',
        })
      }
    }
    expect(here.world.seen).toEqual([])
  })

  it('a redemption is sent by its holder', async () => {
    here.world.outcomes.splice(0, 2, ...market({ status: 'resolved' }))
    const body = lane.redeem!.body.parse({ outcome: marketId, owner, predictAccount: smartWallet })
    const built = await lane.redeem!.build(here.world.context, body)
    lane.checkBounds(built.unsigned, built.bounds)
    await expect(submit(lane, here.world.context, executionOf(built, {}, 'redeem'), credentials)).rejects.toMatchObject(
      {
        code: 'NOT_IMPLEMENTED',
      },
    )
  })
})

describe('refresh', () => {
  const wei = (shares: number): string => `${shares}${'0'.repeat(18)}`
  const look = async (given: Record<string, unknown>, hash?: string) => {
    const execution = await placed({ status: 'acked' })
    const order = { hash: hash ?? execution.clientRef, signature: '0x00' }
    const row = { id: '1', marketId: 7, status: 'OPEN', strategy: 'LIMIT', amount: wei(20), amountFilled: '0', order }
    here.world.answer(() => ({ body: { success: true, data: { ...row, ...given } } }))
    return read(execution)
  }

  it.each([
    ['OPEN', 'acked'],
    ['PENDING', 'acked'],
    ['MATCHED', 'acked'],
    ['CANCELLED', 'canceled'],
    ['EXPIRED', 'expired'],
    ['REJECTED', 'failed'],
  ])('%s is %s', async (status, expected) => {
    expect(await look({ status, amountFilled: status === 'MATCHED' ? wei(20) : '0' })).toMatchObject({
      status: expected,
      shown: true,
      fills: [],
    })
  })

  it('reports the summed fill once the order has ended, without its signature', async () => {
    const seen = await look({ status: 'FILLED', amountFilled: wei(20) })
    expect(seen).toMatchObject({ status: 'filled', matchedSize: '20', observation: { amountFilled: '20' } })
    expect(seen.fills).toMatchObject([{ fill: { aggregate: true, amountFilled: wei(20) } }])
    expect(JSON.stringify(seen.fills)).not.toContain('signature')
    expect(await look({ status: 'CANCELLED', amountFilled: wei(5) })).toMatchObject({
      status: 'canceled',
      matchedSize: '5',
      fills: [{ fill: { amountFilled: wei(5) } }],
    })
    // A row that contradicts itself is not final.
    expect(await look({ status: 'FILLED', amountFilled: wei(5) })).toMatchObject({ status: null, fills: [] })
  })

  it('an order that ended without a filled count keeps its status, with a reason', async () => {
    for (const [status, word] of [
      ['CANCELLED', 'canceled'],
      ['EXPIRED', 'expired'],
    ])
      expect(await look({ status, amountFilled: null })).toMatchObject({
        status: null,
        shown: true,
        observation: { reason: `the venue reports the order as ${word} without its filled size` },
      })
    expect(await look({ status: 'OPEN', amount: 20, amountFilled: null, id: null })).toMatchObject({ status: 'acked' })
  })

  it('reports an unknown state and keeps the status; ignores another order’s row', async () => {
    expect(await look({ status: 'FROZEN', amountFilled: wei(5) })).toMatchObject({
      status: null,
      matchedSize: '5',
      observation: { reason: 'the venue reports an unknown order state: FROZEN' },
    })
    expect(await look({}, `0x${'22'.repeat(32)}`)).toMatchObject({
      status: null,
      observation: { reason: expect.any(String) },
    })
  })

  it('an order unknown to the venue has not ended; a wrong token is a credential error', async () => {
    const execution = await placed({ status: 'submitted' })
    here.world.answer(() => refusal(404, 'not_found', 'order not found'))
    expect(await read(execution)).toMatchObject({ status: null, shown: false, undone: true })
    here.world.answer(() => refusal(401, 'unauthorized', 'authorization error'))
    await expect(read(execution)).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
    here.world.answer(() => refusal(401, 'unauthorized', 'orders do not belong to this wallet'))
    await expect(read(execution)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})
