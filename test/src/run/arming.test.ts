import { expect, it } from 'vitest'
import { readConfig } from '#config'
import { whyUnarmed } from '#run/lanes'
import { wrongOfLane } from '#run/venueSettings'
import { chainSetting, contractSetting, domainSetting } from '#venues/shared/exec/laneSettings'

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

it('a lane is armed unless something speaks against it, and that is said', () => {
  const because = (known: Parameters<typeof whyUnarmed>[1], environment: Record<string, string> = {}) =>
    whyUnarmed(readConfig(environment), known)
  expect(because(plain)).toBeNull()
  expect(because(plain, { CROSSBOOK_POLYMARKET_LANE: 'false' })).toBe('CROSSBOOK_POLYMARKET_LANE is false')
  expect(because(off)).toBe('CROSSBOOK_GEMINI_LANE does not say so')
  expect(because(off, { CROSSBOOK_GEMINI_LANE: 'true' })).toBeNull()
  expect(because(lane)).toBe(
    'it needs CROSSBOOK_XO_EXCHANGE (the contract of its exchange) and CROSSBOOK_XO_CHAIN_ID (the chain of its exchange)' +
      ' and CROSSBOOK_XO_DOMAIN_VERSION (the version of its domain)',
  )
  expect(because(lane, whole)).toBeNull()
  expect(because(lane, { ...whole, CROSSBOOK_XO_LANE: 'false' })).toBe('CROSSBOOK_XO_LANE is false')
  expect(because(lane, { ...whole, CROSSBOOK_XO_CHAIN_ID: '' })).toMatch(/^it needs CROSSBOOK_XO_CHAIN_ID \(.*\)$/)
})

it('half of the settings, wrong ones, or a lane switched on without them stop the start', () => {
  const wrong = (environment: Record<string, string>) => wrongOfLane(lane, readConfig(environment).venueSetting)
  expect(wrong({})).toEqual([])
  expect(wrong(whole)).toEqual([])
  expect(wrong({ CROSSBOOK_XO_LANE: 'false' })).toEqual([])
  expect(wrong({ CROSSBOOK_XO_CHAIN_ID: '1' })).toEqual([
    'CROSSBOOK_XO_EXCHANGE: needed for orders of xo',
    'CROSSBOOK_XO_DOMAIN_VERSION: needed for orders of xo',
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
