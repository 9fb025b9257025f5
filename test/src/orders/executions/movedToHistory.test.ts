// An order whose response was lost, at a venue that moves ended orders out of its live list, on the real routes and the lab.
import { expect, it } from 'vitest'
import { tableOf } from '#test/support/execution/labTable'
import { executionSuite } from '#test/support/execution/suite'

const suite = executionSuite()
const atTheTable = tableOf(suite)
/** Later than a late copy of the request is accepted, so absence would end the order. */
const laterMs = 5 * 60_000

it('settles a filled order that only the history shows, with its fill', () =>
  atTheTable('kalshi', async ({ here, trader, post }) => {
    const { executionId: id, unsigned } = (await post('build', trader.order, 'b')).json.data
    here.lab.faults.order({ fault: 'drop' })
    expect((await post(`${id}/submit`, await trader.send(unsigned), 's')).json.data.status).toBe('submitted')
    here.trade('sell', here.bid, trader.orders()[0]!.hundredths / 100)
    here.lab.faults.hide({ what: 'ended' })
    here.world.clock.advance(laterMs)
    const { data } = (await post(`${id}/refresh`, trader.read)).json
    expect(data).toMatchObject({ status: 'filled', error: null, observation: { fillsReconciled: true } })
    expect(await suite.count('execution_fills WHERE execution_id = $1', [id])).toBe(data.fills.length)
    expect(data.fills).toHaveLength(1)
  }))

it('settles an acknowledged order that moved to the history meanwhile', () =>
  atTheTable('kalshi', async ({ here, trader, post }) => {
    const { executionId: id, unsigned } = (await post('build', trader.order, 'b')).json.data
    expect((await post(`${id}/submit`, await trader.send(unsigned), 's')).json.data.status).toBe('acked')
    here.trade('sell', here.bid, trader.orders()[0]!.hundredths / 100)
    here.lab.faults.hide({ what: 'ended' })
    here.world.clock.advance(laterMs)
    expect((await post(`${id}/refresh`, trader.read)).json.data).toMatchObject({ status: 'filled' })
  }))

it('fails an order that neither list shows, after two queries', () =>
  atTheTable('kalshi', async ({ here, trader, post }) => {
    const { executionId: id, unsigned } = (await post('build', trader.order, 'b')).json.data
    here.lab.faults.order({ fault: 'vanish' })
    await post(`${id}/submit`, await trader.send(unsigned), 's')
    here.world.clock.advance(laterMs)
    const look = async () => (await post(`${id}/refresh`, trader.read)).json.data
    expect((await look()).status).toBe('submitted')
    here.world.clock.advance(60_000)
    expect((await look()).status).toBe('failed')
  }))
