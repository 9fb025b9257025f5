// Resolved positions are redeemed at the venues that settle on a chain, and at no other. A deployment may enable such an adapter for
// redemptions only; its order verbs are then unsupported. According to the specification's table of venues, as copied in this program.
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig, venueVariable } from '#config'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { openLanes } from '#roles/lanes'
import { settlementVenues } from '#schemas/venues'
import { createWorld, keys } from '#test/src/server/http/world'
import { laneCases, laneVenues } from '#test/support/laneCases'
import { sampleSettings } from '#test/support/sampleSettings'
import { type LaneVenue, lanes } from '#venues/registry'

const catalog = { findOutcomes: async () => [], findMarket: async () => null }
const owner = `0x${'5a'.repeat(20)}`
const settles = (venue: LaneVenue): boolean => (settlementVenues as readonly string[]).includes(venue)

/** Every adapter with the operator's settings, including what some of them need. */
function armedAs(word: 'true' | 'settlement') {
  const settings = laneVenues.flatMap((venue) => [
    [venueVariable(venue, 'LANE'), word] as const,
    [venueVariable(venue, 'RPC_URL'), 'http://127.0.0.1:1'] as const,
    ...Object.entries(sampleSettings(lanes[venue])).map(([name, text]) => [venueVariable(venue, name), text] as const),
  ])
  const running = openLanes(readConfig(Object.fromEntries(settings)), catalog as never, {
    clock: new ManualClock(),
    log: silentLog,
  })
  const { known: knownLanes, armed, unarmed } = running
  const world = createWorld({ executions: { knownLanes, lanes: armed, unarmed } })
  const build = async (venue: string, body: object): Promise<string | undefined> => {
    const options = { key: keys.builder, headers: { 'idempotency-key': '1' } }
    const { json } = await world.post(`/v1/exec/${venue}/orders/build`, { dryRun: true, ...body }, options)
    return json.error?.code
  }
  const entryOf = async (venue: string) => {
    const { data } = (await world.get('/v1/exec/venues', { key: keys.builder })).json
    return data.find((entry: { venue: string }) => entry.venue === venue)
  }
  return { build, entryOf, close: running.close }
}

const whole = armedAs('true')
const settling = armedAs('settlement')
afterAll(async () => {
  await Promise.all([whole.close(), settling.close()])
})

const redemption = { intent: 'redeem', outcome: 'no-such-market', owner }

describe.each(laneVenues)('%s', (venue) => {
  const { redeem } = lanes[venue]

  it('redeems where the specification has it settle, and lists that', async () => {
    expect(redeem !== undefined).toBe(settles(venue))
    const { verbs, intents, settlementOnly } = await whole.entryOf(venue)
    expect([verbs.redeem, settlementOnly, verbs.build]).toEqual([settles(venue), false, true])
    expect(intents.slice(0, 2)).toEqual(settles(venue) ? ['order', 'redeem'] : ['order'])
    // Shares are exchanged only where they are redeemed.
    if (!settles(venue)) expect(intents).toEqual(['order'])
    const code = await whole.build(venue, redemption)
    if (settles(venue)) expect(['OUTCOME_NOT_FOUND', 'MARKET_NOT_FOUND']).toContain(code)
    else expect(code).toBe('NOT_IMPLEMENTED')
  })

  it('redeems for an owner, of one market, and without a credential', () => {
    if (redeem === undefined) return
    const { body } = redeem
    for (const right of [{ outcome: '1' }, { outcome: '1', outcomeSide: 'NO' }, { asset: '1' }]) {
      expect(body.safeParse({ ...right, owner }).success, JSON.stringify(right)).toBe(true)
    }
    for (const wrong of [
      {},
      { outcome: '1', asset: '1' },
      { asset: '1', outcomeSide: 'YES' },
      { outcome: '1', apiKey: 'x' },
    ]) {
      expect(body.safeParse({ ...wrong, owner }).success, JSON.stringify(wrong)).toBe(false)
    }
    expect(body.safeParse({ outcome: '1' }).success).toBe(false)
  })

  it('enabled for settlement only, it refuses orders with a clear error; an adapter without settlement is not enabled', async () => {
    const entry = await settling.entryOf(venue)
    if (!settles(venue)) {
      expect(entry).toMatchObject({ armed: false, unarmed: 'settlement is not supported', settlementOnly: false })
      expect(await settling.build(venue, redemption)).toBe('VENUE_NOT_SUPPORTED')
      return
    }
    expect(entry).toMatchObject({
      armed: true,
      settlementOnly: true,
      verbs: { build: false, dryRun: false, modify: false, cancel: false, redeem: true },
      intents: ['redeem'],
    })
    expect(await settling.build(venue, laneCases[venue].made.order)).toBe('NOT_IMPLEMENTED')
    expect(['OUTCOME_NOT_FOUND', 'MARKET_NOT_FOUND']).toContain(await settling.build(venue, redemption))
  })
})
