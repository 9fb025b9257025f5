import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { readConfig } from '#config'
import { systemClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { RpcNodes } from '#net/rpc'
import { laneOf } from '#orders/executions/findLane'
import { venueEntry } from '#orders/executions/listVenues'
import { disabledReason, openLanes } from '#roles/lanes'
import { warnMisconfiguredNodes } from '#roles/nodes'
import { invalidVenueSettings } from '#roles/venueSettings'
import { lanes } from '#venues/registry'
import { chainSetting, contractSetting, domainSetting } from '#venues/shared/exec/laneSettings'
import { xoLane } from '#venues/xo/exec/index'

const lane = {
  slug: 'xo',
  settings: {
    EXCHANGE: contractSetting('the contract of its exchange'),
    CHAIN_ID: chainSetting('the chain of its exchange'),
    DOMAIN_VERSION: domainSetting('the version of its domain'),
  },
} as const
const plain = { slug: 'polymarket' } as const
const off = { slug: 'gemini', defaultOff: true } as const

const whole = {
  CROSSBOOK_XO_EXCHANGE: '0xabcdef0123456789abcdef0123456789abcdef01',
  CROSSBOOK_XO_CHAIN_ID: '8453',
  CROSSBOOK_XO_DOMAIN_VERSION: '1',
}

it('arms a lane unless a setting disables it, and reports the reason', () => {
  const because = (known: Parameters<typeof disabledReason>[1], environment: Record<string, string> = {}) =>
    disabledReason(readConfig(environment), known)
  expect(because(plain)).toBeNull()
  expect(because(plain, { CROSSBOOK_POLYMARKET_LANE: 'false' })).toBe('CROSSBOOK_POLYMARKET_LANE is false')
  expect(because(plain, { VENUES: 'kalshi,opinion' })).toBe('VENUES does not name polymarket')
  expect(because(plain, { VENUES: 'kalshi', CROSSBOOK_POLYMARKET_LANE: 'true' })).toBeNull()
  expect(because(off)).toBe('off by default: set CROSSBOOK_GEMINI_LANE=true')
  expect(because(off, { CROSSBOOK_GEMINI_LANE: 'true' })).toBeNull()
  expect(because(lane)).toBe(
    'it needs CROSSBOOK_XO_EXCHANGE (the contract of its exchange) and CROSSBOOK_XO_CHAIN_ID (the chain of its exchange)' +
      ' and CROSSBOOK_XO_DOMAIN_VERSION (the version of its domain)',
  )
  expect(because(lane, whole)).toBeNull()
  expect(because(lane, { ...whole, CROSSBOOK_XO_LANE: 'false' })).toBe('CROSSBOOK_XO_LANE is false')
  expect(because(lane, { ...whole, CROSSBOOK_XO_CHAIN_ID: '' })).toMatch(/^it needs CROSSBOOK_XO_CHAIN_ID \(.*\)$/)
})

it('rejects incomplete or wrong settings, and a lane switched on without them, at startup', () => {
  const wrong = (environment: Record<string, string>) =>
    invalidVenueSettings(lane, readConfig(environment).venueSetting)
  expect(wrong({})).toEqual([])
  expect(wrong(whole)).toEqual([])
  expect(wrong({ CROSSBOOK_XO_LANE: 'false' })).toEqual([])
  expect(wrong({ CROSSBOOK_XO_CHAIN_ID: '1' })).toEqual([
    'CROSSBOOK_XO_EXCHANGE: required for orders at xo',
    'CROSSBOOK_XO_DOMAIN_VERSION: required for orders at xo',
  ])
  expect(wrong({ CROSSBOOK_XO_LANE: 'true' })).toHaveLength(3)
  for (const [name, text] of [
    ['EXCHANGE', '0x12'],
    ['EXCHANGE', `0x${'0'.repeat(40)}`],
    ['CHAIN_ID', '0x1'],
    ['CHAIN_ID', '0'],
    ['DOMAIN_VERSION', 'ü'],
  ])
    expect(wrong({ ...whole, [`CROSSBOOK_XO_${name}`]: text! })).toEqual([
      expect.stringMatching(new RegExp(`^CROSSBOOK_XO_${name}: must`)),
    ])
})

it('arms a lane that reads a chain once the operator configures a node, and reports the missing setting until then', () => {
  const { rain } = lanes
  const because = (environment: Record<string, string>) => disabledReason(readConfig(environment), rain)
  expect(because({})).toBe('it needs CROSSBOOK_RAIN_RPC_URL')
  expect(because({ CROSSBOOK_RAIN_RPC_URL: 'http://127.0.0.1:1, http://127.0.0.1:2' })).toBeNull()
  expect(invalidVenueSettings(rain, readConfig({ CROSSBOOK_RAIN_DEPLOYERS: '0x12' }).venueSetting)).toEqual([
    'CROSSBOOK_RAIN_DEPLOYERS: must be addresses, with commas between',
  ])
})

it('names missing settings without revealing the values of others', () => {
  const [secretAddress, canary] = [`0x${'ca'.repeat(20)}`, 'Canary Exchange']
  const why = disabledReason(
    readConfig({ CROSSBOOK_XO_EXCHANGE: secretAddress, CROSSBOOK_XO_DOMAIN_NAME: canary }),
    xoLane,
  )
  expect(why).toMatch(/^it needs CROSSBOOK_XO_CHAIN_ID \(/)
  for (const value of [secretAddress, canary]) expect(why).not.toContain(value)
})

it('gives callers the reason why a lane is not armed', async () => {
  const catalog = { findOutcomes: async () => [], findMarket: async () => null }
  const running = openLanes(readConfig({}), catalog, { clock: systemClock, log: silentLog })
  await running.close()
  expect(() => laneOf({ lanes: running.armed, unarmed: running.unarmed }, 'rain', randomUUID())).toThrow(
    'the rain lane is not armed on this deployment: it needs CROSSBOOK_RAIN_RPC_URL',
  )
  const entry = venueEntry(lanes.rain, false, running.unarmed.get('rain'))
  expect(entry).toMatchObject({ armed: false, unarmed: 'it needs CROSSBOOK_RAIN_RPC_URL' })
})

it('logs unusable nodes at startup without the path of their URL', async () => {
  const logged: unknown[] = []
  const log = { ...silentLog, error: (...words: unknown[]) => void logged.push(words) } as never
  const http = {
    async request({ url }: { url: string }) {
      if (url.includes('away')) throw new Fault('NETWORK_ERROR', 'rain is unreachable')
      return { status: 200, headers: {}, body: { id: 0, result: url.includes('wrong') ? '0x1' : '0xa4b1' } }
    },
  }
  const urls = ['http://right/key-1', 'http://wrong/key-2', 'http://away/key-3']
  const { signal } = new AbortController()
  await warnMisconfiguredNodes(new RpcNodes({ http, urls, chainId: 42_161, exchange: 'rain' }), log, signal)
  expect(logged).toMatchObject([
    [{ node: 'wrong', chainId: 42_161, err: { detail: 'wrong reports chain 1, wanted is 42161' } }, expect.any(String)],
    [{ node: 'away' }, expect.any(String)],
  ])
  expect(JSON.stringify(logged)).not.toContain('key-')
})
