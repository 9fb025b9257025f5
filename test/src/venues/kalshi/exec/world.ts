// A Kalshi with answers set by the test, and a throwaway key pair.
import { constants, generateKeyPairSync, verify } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { binaryMarket, buildOrder, createLaneWorld, executionOf, type LaneWorld } from '#test/support/laneWorld'
import { kalshiLane as lane } from '#venues/kalshi/exec/index'
import type { LaneExecution } from '#venues/lane'

export const ticker = 'KXTEST-26-A'
export const buy = { outcome: ticker, outcomeSide: 'YES', isBuy: true, price: '0.62', size: 4 }
export const base = '/trade-api/v2'
export const orders = '/portfolio/events/orders'
export const fees = { feeType: 'quadratic', multiplier: 1, takerRate: 0.07, makerRate: 0 }

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const credentials = {
  apiKeyId: 'canary-key-id-5d20',
  privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}

export const market = (given: Parameters<typeof binaryMarket>[3]) =>
  binaryMarket('kalshi', ticker, [ticker, `${ticker}-NO`], given)

/** Call at the top of a test file: sets up a world in which one binary market trades before each test. */
export function laneSuite() {
  let world: LaneWorld
  beforeAll(async () => {
    world = await createLaneWorld('kalshi', ['REST'])
    world.context = { ...world.context, urls: { REST: `${world.url}${base}` } }
  })
  beforeEach(() => {
    world.seen.length = 0
    const rows = market({ sourceMetadata: { marketType: 'binary', fees } })
    world.outcomes.splice(0, world.outcomes.length, ...rows)
  })
  afterAll(() => world.close())
  const build = (given: Record<string, unknown> = {}) => buildOrder(lane, world.context, { ...buy, ...given })
  return {
    get world() {
      return world
    },
    build,
    placed: async (given: Partial<LaneExecution> = {}) => executionOf(await build(), given),
    read: (execution: LaneExecution) =>
      lane.refresh!.read(world.context, execution, lane.refresh!.body.parse(credentials) as never),
    /** Checks the signature over exactly timestamp, method and path, as the venue does. */
    expectSigned(at = -1): void {
      const seen = world.seen.at(at)!
      const { 'kalshi-access-timestamp': time, 'kalshi-access-signature': signature } = seen.headers
      const text = `${String(time)}${seen.method}${seen.path.split('?')[0]}`
      const key = { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
      expect(verify('sha256', Buffer.from(text), key, Buffer.from(String(signature), 'base64'))).toBe(true)
      expect(seen.headers['kalshi-access-key']).toBe(credentials.apiKeyId)
    },
  }
}
