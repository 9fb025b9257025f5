import { describe, expect, it } from 'vitest'
import { executionOf, submit } from '#test/support/laneWorld'
import { kalshiLane as lane } from '#venues/kalshi/exec/index'
import { credentials, laneSuite, market, ticker } from './world.ts'

const here = laneSuite()
const { build } = here

it('is disabled unless the deployment enables it', () => {
  expect(lane.defaultOff).toBe(true)
})

describe('the artifact', () => {
  it('buying 4 NO at 0.62 matches the venue’s own vector', async () => {
    here.world.answer(() => ({ status: 201, body: { order_id: 'o-1' } }))
    const built = await build({ outcomeSide: 'NO' })
    await submit(lane, here.world.context, executionOf(built), credentials)
    expect(here.world.seen[0]!.text).toBe(
      `{"ticker":"${ticker}","client_order_id":"${built.clientRef}","side":"ask","count":"4.00","price":"0.3800","time_in_force":"good_till_canceled","self_trade_prevention_type":"taker_at_cross"}`,
    )
  })

  it.each([
    ['YES', true, 'bid', '0.6200'],
    ['YES', false, 'ask', '0.6200'],
    ['NO', true, 'ask', '0.3800'],
    ['NO', false, 'bid', '0.3800'],
  ])('%s, buying %s: %s at %s of YES', async (outcomeSide, isBuy, side, price) => {
    expect((await build({ outcomeSide, isBuy })).unsigned).toMatchObject({ side, price })
  })

  it('an outcome id alone selects its side', async () => {
    expect((await build({ outcome: `${ticker}-NO`, outcomeSide: undefined })).unsigned).toMatchObject({ side: 'ask' })
  })

  it.each([
    ['YES', true, undefined, '2.48'],
    ['YES', false, undefined, '1.52'],
    ['NO', false, undefined, '1.52'],
    ['YES', false, true, '0'],
  ])('4 %s at 0.62, buying %s, reduceOnly %s, costs %s at most', async (outcomeSide, isBuy, reduceOnly, usd) => {
    expect((await build({ outcomeSide, isBuy, reduceOnly })).notionalUsd).toBe(usd)
  })

  it('reduce_only is present when requested, and never false', async () => {
    expect((await build({ reduceOnly: true })).unsigned.reduce_only).toBe(true)
    expect((await build({ reduceOnly: false })).unsigned).not.toHaveProperty('reduce_only')
  })

  it.each([
    { price: '0.625' },
    { price: 0 },
    { price: 1 },
    { price: '1e-1' },
    { size: 0 },
    { size: '1.5' },
    { size: -1 },
    { size: '1000000000' },
    { timeInForce: 'fill-or-kill' },
    { outcome: undefined, outcomeSide: undefined },
    { asset: ticker },
    { reduceOnly: 1 },
    { apiKeyId: 'x' },
    { privateKeyPem: 'x' },
    { nonsense: 1 },
    { isBuy: 'yes' },
  ])('refuses %j', async (given) => {
    await expect(build(given)).rejects.toThrow()
  })

  it.each([
    ['a market that does not trade', { status: 'closed' as const, sourceMetadata: {} }],
    ['a scalar market', { sourceMetadata: { marketType: 'scalar' } }],
  ])('refuses %s', async (_, given) => {
    const rows = market(given)
    here.world.outcomes.splice(0, here.world.outcomes.length, ...rows)
    await expect(build()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  /** The table of the specification, field by field. */
  const rules: Record<string, (value: unknown) => boolean> = {
    ticker: (value) => typeof value === 'string' && value.length >= 1,
    client_order_id: (value) =>
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(String(value)),
    side: (value) => value === 'bid' || value === 'ask',
    count: (value) => typeof value === 'string' && /^[1-9]\d*\.00$/.test(value),
    price: (value) => typeof value === 'string' && /^0\.\d\d00$/.test(value) && Number(value) > 0 && Number(value) < 1,
    time_in_force: (value) => value === 'good_till_canceled',
    self_trade_prevention_type: (value) => value === 'taker_at_cross',
    reduce_only: (value) => value === true,
  }

  it('has the specified fields in the specified format, and no others', async () => {
    for (const reduceOnly of [undefined, false, true])
      for (const price of ['0.01', '0.5', 0.99])
        for (const size of ['1', 999_999_999])
          for (const outcomeSide of ['YES', 'NO']) {
            const { unsigned } = await build({
              price,
              size,
              outcomeSide,
              ...(reduceOnly === undefined ? {} : { reduceOnly }),
            })
            const names = Object.keys(rules).filter((name) => name !== 'reduce_only' || reduceOnly === true)
            expect(Object.keys(unsigned).sort()).toEqual(names.sort())
            for (const name of names) expect([name, rules[name]!(unsigned[name])]).toEqual([name, true])
          }
  })

  it.each<[string, unknown]>([
    ['ticker', ''],
    ['client_order_id', '2f1e9c0a-5c0f-1b36-9a5b-0d2f0f6f3f10'],
    ['client_order_id', 'mine'],
    ['side', 'yes'],
    ['count', 4],
    ['count', '4'],
    ['count', '04.00'],
    ['count', '4.50'],
    ['count', '0.00'],
    ['count', '-4.00'],
    ['price', 0.62],
    ['price', '0.62'],
    ['price', '0.6250'],
    ['price', '0.0000'],
    ['price', '1.0000'],
    ['price', '.6200'],
    ['time_in_force', 'immediate_or_cancel'],
    ['self_trade_prevention_type', 'maker'],
    ['reduce_only', false],
    ['post_only', true],
    ['expiration_time', 1_800_000_000],
  ])('a stored artifact with %s = %j is never sent', async (name, value) => {
    const { unsigned, bounds } = await build()
    expect(() => lane.checkBounds({ ...unsigned, [name]: value } as never, bounds)).toThrowError(
      expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
    )
    expect(rules[name]?.(value) ?? false).toBe(false)
  })

  it('enforces bounds on each field', async () => {
    const { unsigned, bounds } = await build()
    for (const wrong of [
      { side: 'ask' },
      { price: '0.6300' },
      { count: '5.00' },
      { ticker: 'KXOTHER' },
      { reduce_only: true },
      { time_in_force: 'fill_or_kill' },
      { price: '0.0000' },
      { count: '0.00' },
      { more: 1 },
    ]) {
      expect(() => lane.checkBounds({ ...unsigned, ...wrong } as never, bounds)).toThrowError(
        expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
      )
    }
  })
})
