import { describe, expect, it } from 'vitest'
import { executionOf, type Reply, submit } from '#test/support/laneWorld'
import { kalshiLane as lane } from '#venues/kalshi/exec/index'
import { base, credentials, laneSuite, orders, ticker } from './world.ts'

const here = laneSuite()
const { placed, expectSigned } = here

const allocate =
  '; your account has nothing on the exchange shard of this market: allocate collateral to that shard first'

describe('submit', () => {
  const cases: [string, Reply, string][] = [
    ['201', { status: 201, body: { order_id: 'o-1' } }, 'accepted'],
    ['201 of an unexpected format', { status: 201, body: {} }, 'unknown'],
    [
      '400 insufficient_balance',
      { status: 400, body: { error: { code: 'insufficient_balance', message: 'x' } } },
      'rejected',
    ],
    ['400 without an envelope', { status: 400, body: { code: 'bad_request', message: 'bad request' } }, 'rejected'],
    ['400 of a proxy', { status: 400, text: '<html>' }, 'unknown'],
    ['401', { status: 401, body: { error: { code: 'authentication_error', details: 'NOT_FOUND' } } }, 'refused'],
    ['409 for our own id', { status: 409, body: { error: { code: 'order_already_exists' } } }, 'unknown'],
    ['429', { status: 429, body: { error: 'too many requests' } }, 'refused'],
    ['500', { status: 500, body: { error: { code: 'internal' } } }, 'unknown'],
    ['408', { status: 408, body: { error: { code: 'timeout', message: 'timeout' } } }, 'unknown'],
    ['a cut connection', 'cut', 'unknown'],
  ]
  it.each(cases)('%s', async (_, reply, kind) => {
    here.world.answer(() => reply)
    expect((await submit(lane, here.world.context, await placed(), credentials)).outcome.kind).toBe(kind)
    expect(here.world.seen).toHaveLength(1)
  })

  const exchange = (code: string, details?: string) => ({
    error: { code, message: code, details, service: 'exchange' },
  })
  it.each<[number, object, string, string]>([
    [
      401,
      exchange('authentication_error', 'INCORRECT_API_KEY_SIGNATURE'),
      'refused',
      'authentication_error: INCORRECT_API_KEY_SIGNATURE',
    ],
    [401, exchange('authentication_error', 'NOT_FOUND'), 'refused', 'authentication_error: NOT_FOUND'],
    [401, exchange('signature_is_missing_from_headers'), 'refused', 'signature_is_missing_from_headers'],
    [400, exchange('insufficient_balance'), 'rejected', 'insufficient_balance'],
    [400, exchange('invalid_price'), 'rejected', 'invalid_price'],
    [400, exchange('invalid_order', 'post only cross'), 'rejected', 'invalid_order: post only cross'],
    [
      400,
      { code: 'bad_request', message: 'bad request', details: 'count: number' },
      'rejected',
      'bad_request: count: number',
    ],
    [404, exchange('not_found'), 'rejected', 'not_found'],
    [400, exchange('fill_or_kill_insufficient_resting_volume'), 'rejected', 'fill_or_kill_insufficient_resting_volume'],
    [409, exchange('MARKET_INACTIVE'), 'rejected', 'MARKET_INACTIVE'],
    [410, exchange('deprecated_v1_order_endpoint'), 'rejected', 'deprecated_v1_order_endpoint'],
    [409, exchange('market_closed'), 'rejected', 'market_closed'],
    [409, exchange('fill_or_kill_insufficient_resting_volume'), 'rejected', 'fill_or_kill_insufficient_resting_volume'],
    [404, exchange('user_not_found'), 'rejected', `user_not_found${allocate}`],
    [404, exchange('market_not_found'), 'rejected', `market_not_found${allocate}`],
    [403, exchange('insufficient_scope', 'write'), 'rejected', 'insufficient_scope: write'],
    [400, exchange('a_code_of_tomorrow', 'why'), 'rejected', 'a_code_of_tomorrow: why'],
    [401, exchange('invalid_api_key'), 'refused', 'invalid_api_key'],
    [401, exchange('unauthorized'), 'refused', 'unauthorized (status 401)'],
  ])('the venue’s response: %i %j is %s', async (status, body, kind, reason) => {
    here.world.answer(() => ({ status, body }))
    expect((await submit(lane, here.world.context, await placed(), credentials)).outcome).toEqual({ kind, reason })
  })

  it.each([
    ['trading_is_paused', { error: { code: 'trading_is_paused', message: 'trading is paused' } }],
    ['exchange_is_paused', { error: { code: 'exchange_is_paused', message: 'paused', service: 'exchange' } }],
  ])('an order during a pause (%s) is refused at once and can be sent again', async (code, body) => {
    here.world.answer(() => ({ status: 409, body }))
    expect((await submit(lane, here.world.context, await placed(), credentials)).outcome).toEqual({
      kind: 'refused',
      reason: `the venue says ${code}; nothing was placed`,
      code: 'NETWORK_ERROR',
    })
  })

  it.each([
    ['as text', { error: 'too many requests' }],
    ['as a code', { error: { code: 'too_many_requests', message: 'slow down' } }],
  ])('a rate limit, worded %s, is refused and can be sent again', async (_, body) => {
    here.world.answer(() => ({ status: 429, body }))
    expect((await submit(lane, here.world.context, await placed(), credentials)).outcome).toMatchObject({
      kind: 'refused',
      code: 'NETWORK_ERROR',
    })
  })

  it('a wrong clock is not reported as a credential error', async () => {
    here.world.answer(() => ({ status: 401, body: exchange('header_timestamp_expired') }))
    expect((await submit(lane, here.world.context, await placed(), credentials)).outcome).toEqual({
      kind: 'refused',
      reason: expect.stringMatching(/slow to arrive, or the clocks disagree; nothing was placed$/),
      code: 'NETWORK_ERROR',
    })
  })

  it('an unreadable key sends nothing and is not shown', async () => {
    const bad = submit(lane, here.world.context, await placed(), { ...credentials, privateKeyPem: 'canary-pem' })
    await expect(bad).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
    await expect(bad).rejects.not.toThrow(/canary/)
    expect(here.world.seen).toHaveLength(0)
  })

  it('cancel is a DELETE without a body that names the market, so that it reaches its exchange shard', async () => {
    const target = await placed({ venueRef: 'o-1', status: 'acked' })
    const built = await lane.cancel!.build(here.world.context, target, {} as never)
    expect(built.unsigned).toEqual({ order_id: 'o-1' })
    lane.checkBounds(built.unsigned, built.bounds)
    here.world.answer(() => ({ body: { order_id: 'o-1', reduced_by: '4.00', ts_ms: 1 } }))
    const { outcome } = await submit(lane, here.world.context, executionOf(built, { target }, 'cancel'), credentials)
    expect(outcome).toMatchObject({ kind: 'accepted', venueRef: 'o-1' })
    expect(here.world.seen[0]).toMatchObject({
      method: 'DELETE',
      path: `${base}${orders}/o-1?market_ticker=${ticker}`,
      text: '',
    })
    expectSigned()
  })

  it('modify amends, under a new client order id', async () => {
    const target = await placed({ venueRef: 'o-1', status: 'acked' })
    const built = await lane.modify!.build(here.world.context, target, { price: '0.6' } as never)
    lane.checkBounds(built.unsigned, built.bounds)
    here.world.answer(() => ({ body: { order_id: 'o-1' } }))
    const { outcome } = await submit(lane, here.world.context, executionOf(built, { target }, 'modify'), credentials)
    expect(outcome).toMatchObject({ kind: 'accepted', venueRef: 'o-1' })
    expect(JSON.parse(here.world.seen[0]!.text)).toEqual({
      ticker,
      side: 'bid',
      price: '0.6000',
      count: '4.00',
      client_order_id: target.clientRef,
      updated_client_order_id: built.clientRef,
    })
    expectSigned()
  })
})
