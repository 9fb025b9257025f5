// Recorded venue responses, parsed like the lane does.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedFixture } from '#test/support/fixtures'
import { createLaneWorld, type LaneWorld } from '#test/support/laneWorld'
import { fetchFills } from '#venues/hyperliquid/exec/fills'
import { fetchSpotBalance } from '#venues/hyperliquid/exec/spot'
import { owner } from './world.ts'

const spot = sharedFixture('hyperliquid/nautilus/http_spot_clearinghouse_state.json')
const fills = sharedFixture('hyperliquid/nautilus/http_user_fills_dust_conversion.json')

let world: LaneWorld
beforeAll(async () => {
  world = await createLaneWorld('hyperliquid', ['REST'])
})
afterAll(() => world.close())

it.skipIf(spot === null)('a spot state with outcome tokens (skipped without ../shared/fixtures)', async () => {
  world.answer(() => ({ text: readFileSync(spot!, 'utf8') }))
  const read = (coin: string) => fetchSpotBalance(world.context, owner.address, coin)
  expect(await read('USDC')).toEqual({ coin: 'USDC', total: '14.625485', hold: '0', spendable: '14.625485' })
  expect((await read('PURR')).spendable).toBe('1900')
  expect((await read('+10')).spendable).toBe('25')
})

it.skipIf(fills === null)('a list of fills (skipped without ../shared/fixtures)', async () => {
  const rows: { oid: number; tid: number; sz: string }[] = JSON.parse(readFileSync(fills!, 'utf8'))
  world.answer(() => ({ body: rows }))
  for (const { oid } of rows) {
    const ours = rows.filter((row) => row.oid === oid)
    const read = await fetchFills(world.context, owner.address, oid, 0)
    expect(read.fills.map(({ key }) => key).sort()).toEqual(ours.map(({ tid }) => String(tid)).sort())
    expect(read.sizes.sort()).toEqual(ours.map(({ sz }) => sz).sort())
  }
})
