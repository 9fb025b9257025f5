// Modifications at the lab of each venue that supports them: terms, reserved spend, and which executions end together.
import { expect, it } from 'vitest'
import type { JsonObject } from '#schemas/executions'
import { tableOf } from '#test/support/execution/labTable'
import { executionSuite, refused } from '#test/support/execution/suite'
import { laneVenues } from '#test/support/laneCases'
import { laneFacts } from '#test/support/venueCases'
import { type LaneVenue, lanes } from '#venues/registry'

const atTheTable = tableOf(executionSuite())
const cent = 10_000

/** Modifications of one order, each based on the last one that the venue accepted. */
const modifying = laneVenues.filter((venue) => lanes[venue].modify !== undefined)

const change = (venue: LaneVenue) =>
  atTheTable(venue, async ({ here, trader, post }) => {
    const { faults } = here.lab
    // A modification must cost enough to be accepted, whatever is left of it.
    const { executionId: id, unsigned } = (await post('build', { ...trader.order, size: 100 }, 'b')).json.data
    await post(`${id}/submit`, await trader.send(unsigned), 's')
    const resting = () => {
      const order = trader.orders().findLast(({ status }) => status === 'open')!
      return { price: order.priceMicros, left: (order.hundredths - order.filledHundredths) / 100 }
    }
    let made = 0
    const build = (of: string, body: object) => post(`${of}/modify`, body, `m${made++}`)
    const sendOff = async ({ executionId, unsigned: artifact }: { executionId: string; unsigned: JsonObject }) =>
      post(`${executionId}/submit`, await trader.send(artifact), `sm${made++}`)
    const modify = async (of: string, body: object) => {
      const built = await build(of, body)
      expect(built.status, built.text).toBe(200)
      const sent = await sendOff(built.json.data)
      return { id: built.json.data.executionId as string, sent }
    }
    const lower = String((here.bid - cent) / 1e6)

    here.world.clock.advance(1_000)
    here.trade('sell', here.bid, 30)
    // The price alone: filled contracts do not rest again.
    const first = await modify(id, { price: lower })
    expect(first.sent.json.data?.status, first.sent.text).toBe('acked')
    expect(resting()).toEqual({ price: here.bid - cent, left: 70 })
    // The size alone, of the original order, twice in a row: the price of the first modification stays.
    await modify(id, { size: 90 })
    expect(resting()).toEqual({ price: here.bid - cent, left: 60 })
    await modify(first.id, { size: 80 })
    expect(resting()).toEqual({ price: here.bid - cent, left: 50 })

    // A rejected modification changes nothing.
    faults.order({ fault: 'reject' })
    if (venue === 'hyperliquid') {
      expect((await modify(id, { size: 200 })).sent.json.data.status).toBe('failed')
    }
    faults.recover()
    await modify(id, { price: String((here.bid - 2 * cent) / 1e6) })
    expect(resting()).toEqual({ price: here.bid - 2 * cent, left: 50 })

    // One that was built on outdated terms is not sent; nor is any while the outcome of another is unknown.
    const stale = (await build(id, { size: 70 })).json.data
    const early = (await build(id, { size: 75 })).json.data
    faults.http({ status: 502, count: 1, path: laneFacts[venue].lane.changePath })
    expect((await sendOff(early)).json.data.status).toBe('submitted')
    expect(refused(await build(id, { size: 60 }))).toEqual([409, 'CLAIM_GENERATION_UNDETERMINED'])
    expect(refused(await sendOff(stale))).toEqual([409, 'CLAIM_GENERATION_UNDETERMINED'])
    expect(resting().left).toBe(50)
    here.world.clock.advance(105_000)
    const support = { ...trader.read, outcome: 'failed', reason: 'the venue shows the old terms' }
    expect((await post(`${early.executionId}/resolve`, support, 'r')).json.data.status).toBe('failed')
    const last = await modify(id, { size: 70 })
    expect(resting().left).toBe(40)
    expect(refused(await sendOff(stale))).toEqual([409, 'ARTIFACT_VERSION_CONFLICT'])

    // Canceling the original order cancels its replacement.
    const cancel = (await post(`${id}/cancel`, {}, 'c')).json.data
    expect((await sendOff(cancel)).json.data.status).toBe('acked')
    expect(trader.orders().every(({ status }) => status === 'canceled')).toBe(true)
    const filled = trader.orders().reduce((sum, order) => sum + order.filledHundredths, 0)
    expect(filled).toBe(3_000)
    expect((await post(`${last.id}/refresh`, trader.read)).json.data.status).toBe('canceled')
    expect(refused(await build(last.id, { size: 90 }))).toEqual([409, 'EXECUTION_TERMINAL'])
    expect(refused(await build(id, { size: 90 }))).toEqual([409, 'EXECUTION_TERMINAL'])
  })

it.each(modifying)(
  '%s: modifications follow the last accepted one and the fills; none is sent while the state is unknown',
  (venue) => change(venue),
  60_000,
)

it(
  'hyperliquid: contracts filled between the build and the submit of a modification do not rest again',
  () =>
    atTheTable('hyperliquid', async ({ here, trader, post }) => {
      const { executionId: id, unsigned } = (await post('build', { ...trader.order, size: 100 }, 'b')).json.data
      await post(`${id}/submit`, await trader.send(unsigned), 's')
      const built = (await post(`${id}/modify`, { size: 90 }, 'm')).json.data
      here.trade('sell', here.bid, 10)
      const sent = await post(`${built.executionId}/submit`, await trader.send(built.unsigned), 'sm')
      expect(refused(sent)).toEqual([400, 'ARTIFACT_BOUNDS_VIOLATION'])
      expect(trader.orders().filter(({ status }) => status === 'open')).toHaveLength(1)
      here.trade('sell', here.bid, 85)
      expect(refused(await post(`${id}/modify`, { size: 95 }, 'too small'))).toEqual([400, 'VALIDATION_ERROR'])
    }),
  60_000,
)

const standTogether = (venue: LaneVenue) =>
  atTheTable(venue, async ({ here, trader, post, reserved }) => {
    const { executionId: id, unsigned } = (await post('build', { ...trader.order, size: 100 }, 'b')).json.data
    await post(`${id}/submit`, await trader.send(unsigned), 's')
    const open = () => trader.orders().filter(({ status }) => status === 'open')
    const look = async (of: string) => (await post(`${of}/refresh`, trader.read)).json.data.status
    const change = async (of: string, contracts: number) => {
      const built = await post(`${of}/modify`, { size: contracts }, `m${contracts}`)
      expect(built.status, built.text).toBe(200)
      const { executionId, unsigned: artifact } = built.json.data
      const sent = await post(`${executionId}/submit`, await trader.send(artifact), `sm${contracts}`)
      expect(sent.json.data?.status, sent.text).toBe('acked')
      return executionId as string
    }
    const whole = await reserved()
    const members = [id, await change(id, 90)]
    // Whether or not a query happened meanwhile, every member represents the order, and a modification of any applies to the last one.
    expect([await look(id), await look(members[1]!)]).toEqual(['acked', 'acked'])
    members.push(await change(id, 80))
    members.push(await change(members[1]!, 70))
    for (const member of members) expect(await look(member)).toBe('acked')
    expect(open().map(({ hundredths }) => hundredths)).toEqual([7_000])
    const fewer = venue === 'kalshi' ? 0.7 : 1
    expect(await reserved()).toBeCloseTo(whole * fewer, 6)

    const cancel = await post(`${id}/cancel`, {}, 'c')
    expect(cancel.status, cancel.text).toBe(200)
    const { executionId: canceling, unsigned: artifact } = cancel.json.data
    await post(`${canceling}/submit`, await trader.sendCancel(artifact), 'sc')
    expect(open()).toEqual([])
    here.world.clock.advance(60_000)
    for (const member of members) expect(await look(member)).toBe('canceled')
    expect(await reserved()).toBe(0)
    for (const member of members) {
      expect(refused(await post(`${member}/cancel`, {}, `c${member}`))).toEqual([409, 'EXECUTION_TERMINAL'])
    }
  })

it.each(modifying)(
  '%s: an order and its modifications rest and end together, whichever is queried, and release their reserved spend',
  (venue) => standTogether(venue),
  60_000,
)

it.each(modifying)('%s: a filled order cannot be modified', (venue) =>
  atTheTable(venue, async ({ here, trader, post }) => {
    const { executionId: id, unsigned } = (await post('build', trader.order, 'b')).json.data
    await post(`${id}/submit`, await trader.send(unsigned), 's')
    here.world.clock.advance(1_000)
    here.trade('sell', here.bid, trader.orders()[0]!.hundredths / 100)
    here.world.clock.advance(60_000)
    expect((await post(`${id}/refresh`, trader.read)).json.data.status).toBe('filled')
    expect(refused(await post(`${id}/modify`, { size: 500 }, 'm'))).toEqual([409, 'EXECUTION_TERMINAL'])
  }),
)
