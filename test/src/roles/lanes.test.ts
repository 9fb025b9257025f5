import { afterAll, expect, it } from 'vitest'
import { readConfig } from '#config'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createGeofence } from '#platform/geofence/geofence'
import { openLanes } from '#roles/lanes'
import { createWorld, keys } from '../server/http/world.ts'

const edge = { CROSSBOOK_COUNTRY_HEADER: 'x-country', CROSSBOOK_TRUSTED_PROXIES: '127.0.0.1' }
const config = readConfig({ ...edge, CROSSBOOK_POLYMARKET_BLOCKED_COUNTRIES: 'US, FR' })
const catalog = { findOutcomes: async () => [], findMarket: async () => null }
const lanes = openLanes(config, catalog, { clock: new ManualClock(), log: silentLog })
afterAll(() => lanes.close())

const world = createWorld({
  geofence: createGeofence(config.geofence!),
  executions: { knownLanes: lanes.known, lanes: lanes.armed, unarmed: lanes.unarmed },
})
const build = (venue: string, country: string) =>
  world.post(
    `/v1/exec/${venue}/orders/build`,
    { asset: '1', dryRun: true },
    {
      key: keys.builder,
      headers: { 'x-country': country, 'idempotency-key': '1' },
    },
  )

it('blocks callers of a country from one lane, and from no other', async () => {
  for (const country of ['US', 'FR']) {
    const reply = await build('polymarket', country)
    expect([reply.status, reply.json.error.code, reply.json.error.exchange]).toEqual([
      451,
      'VENUE_REGION_BLOCKED',
      'polymarket',
    ])
    expect(reply.json.error.message).toBe(`polymarket does not serve ${country}`)
  }
  expect((await build('polymarket', 'DE')).status).toBe(400)
  expect((await build('hyperliquid', 'US')).status).toBe(400)
  // Market data stays readable.
  const read = await world.get('/api/polymarket/fetchMarkets', { headers: { 'x-country': 'US' } })
  expect(read.status).toBe(200)
})

it('answers 404 for a disabled lane before any other check, without warnings about its effects', async () => {
  const { status, json } = await build('pred', 'DE')
  expect([status, json.error.code, json.warnings]).toEqual([404, 'VENUE_NOT_SUPPORTED', undefined])
  const armed = openLanes(readConfig({ CROSSBOOK_PRED_LANE: 'true' }), catalog, {
    clock: new ManualClock(),
    log: silentLog,
  })
  expect(armed.armed.has('pred')).toBe(true)
  await armed.close()
})

it('arms XO only with all required settings, and names the missing one', async () => {
  const { status, json } = await build('xo', 'DE')
  expect([status, json.error.message]).toEqual([
    404,
    expect.stringMatching(
      /^the xo lane is not armed on this deployment: it needs CROSSBOOK_XO_EXCHANGE \(the contract of its exchange\) and .*collateral\)$/,
    ),
  ])
  const settings = {
    CROSSBOOK_XO_EXCHANGE: `0x${'5a'.repeat(20)}`,
    CROSSBOOK_XO_CHAIN_ID: '31337',
    CROSSBOOK_XO_DOMAIN_NAME: 'Some Exchange',
    CROSSBOOK_XO_DOMAIN_VERSION: '1',
    CROSSBOOK_XO_ORDER_TYPE_HASH: '0xbb86318a2138f5fa8ae32fbe8e659f8fcf13cc6ae4014a707893055433818589',
    CROSSBOOK_XO_COLLATERAL_DECIMALS: '6',
  }
  for (const without of [undefined, ...Object.keys(settings)]) {
    const given = Object.fromEntries(Object.entries(settings).filter(([name]) => name !== without))
    const running = openLanes(readConfig(given), catalog, { clock: new ManualClock(), log: silentLog })
    await running.close()
    expect([without, running.unarmed.get('xo')]).toEqual([
      without,
      without && expect.stringContaining(`it needs ${without} (`),
    ])
  }
})

it('rejects an invalid country of any lane, or a missing country header, at startup', () => {
  expect(() =>
    readConfig({ ...edge, CROSSBOOK_KALSHI_BLOCKED_COUNTRIES: 'USA', CROSSBOOK_XO_BLOCKED_COUNTRIES: 'x' }),
  ).toThrow(/CROSSBOOK_KALSHI_BLOCKED_COUNTRIES: must be ISO[\s\S]*CROSSBOOK_XO_BLOCKED_COUNTRIES/)
  expect(() => readConfig({ CROSSBOOK_KALSHI_BLOCKED_COUNTRIES: 'US' })).toThrow(/CROSSBOOK_COUNTRY_HEADER/)
  expect(readConfig({}).laneCountries.size).toBe(0)
})

it('gives the reason why a lane is not armed in the list of lanes and in the 404 of its routes', async () => {
  const because = 'off by default: set CROSSBOOK_GEMINI_LANE=true'
  const { data } = (await world.get('/v1/exec/venues', { key: keys.builder })).json
  const of = (venue: string) => data.find((entry: { venue: string }) => entry.venue === venue)
  expect(of('gemini')).toMatchObject({ armed: false, unarmed: because })
  expect(of('polymarket')).not.toHaveProperty('unarmed')
  const reply = await build('gemini', 'DE')
  expect([reply.status, reply.json.error.code]).toEqual([404, 'VENUE_NOT_SUPPORTED'])
  expect(reply.json.error.message).toBe(`the gemini lane is not armed on this deployment: ${because}`)
})
