// `subscribeStructures` over a real socket: from the messages of the searching process, through a gateway, to a client.
import { afterEach, expect, it } from 'vitest'
import { startStructureRelay } from '#actors/arbitrage/structureReplica'
import { structuresChannel } from '#arbitrage/structures/view'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { StructureRow } from '#schemas/structures'
import type { StructureFrame } from '#schemas/topics'
import { MemoryBus, principal } from '../../stream/support.ts'
import { Client, startServer } from './support.ts'

const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const row = (id: string, kind: StructureRow['kind'], edge: number): StructureRow => ({
  ...{ id, kind, edge, legs: [], contracts: 10, worstPayout: 10, capital: 10 - edge, roi: edge / (10 - edge) },
  ...{ relations: [], weakest: null, executable: true, reasons: [], proven: true, asOf: null },
})

const counts = { sets: 1, markets: 2, searched: 1, complete: true, overLimit: 0, refusedSets: {}, refusedMarkets: {} }

async function world() {
  const bus = new MemoryBus()
  const relay = await startStructureRelay({ bus, clock: systemClock, log: silentLog, memberId: 'g' })
  const channel = structuresChannel(relay, ({ plan }) => plan !== 'free', ['kalshi', 'polymarket'])
  const server = await startServer({ channels: { structures: channel } })
  server.keys.keys.set('free', principal({ keyId: 'key-2', plan: 'free' }))
  stops.push(
    () => relay.stop(),
    () => server.stop(),
  )
  let n = 0
  const publish = (frame: Partial<StructureFrame>): void =>
    bus.publish('structureFrames', 'm', {
      ...{ term: 1, memberId: 'm', n: ++n, kind: 'delta', part: { i: 1, last: true }, up: true },
      ...{ computedAt: 1_790_000_000_000, rows: [], removes: [] },
      counts,
      ...frame,
    })
  return { server, publish }
}

it('acknowledges a client, sends it the current structures, then changes, by its own filter', async () => {
  const { server, publish } = await world()
  const rows = [row('a', 'implication', 2), row('b', 'partition', 1), row('c', 'equality', 3)]
  publish({ kind: 'state', rows })
  const [all, few] = [await Client.open(server.url), await Client.open(server.url)]
  all.send({ op: 'subscribeStructures' })
  few.send({ op: 'subscribeStructures', kinds: ['partition'], minEdge: 0.5 })
  await Promise.all([all.count(2), few.count(2)])
  expect(all.frames[0]).toEqual({ type: 'subscribed', channel: 'structures' })
  expect(all.frames[1]).toMatchObject({
    type: 'structures',
    data: { kind: 'snapshot', part: { i: 1, n: 1 }, computedAt: '2026-09-21T14:13:20.000Z', rows: rows.slice(0, 2) },
  })
  expect(few.frames[1]).toMatchObject({ data: { kind: 'snapshot', rows: [rows[1]] } })
  publish({ rows: [row('b', 'partition', 0.25)], removes: ['a'] })
  await Promise.all([all.count(3), few.count(3)])
  expect(all.frames[2]).toMatchObject({ data: { kind: 'delta', upserts: [{ id: 'b', edge: 0.25 }], removes: ['a'] } })
  expect(few.frames[2]).toMatchObject({ data: { kind: 'delta', upserts: [], removes: ['b'] } })
})

it('reports no time before the first search', async () => {
  const { server, publish } = await world()
  publish({ kind: 'state', computedAt: null })
  const client = await Client.open(server.url)
  client.send({ op: 'subscribeStructures' })
  await client.count(2)
  expect(client.frames[1]).toMatchObject({ data: { kind: 'snapshot', computedAt: null, rows: [] } })
})

it('refuses a plan without arbitrage, an unserved venue and an unknown kind', async () => {
  const { server } = await world()
  const free = await Client.open(server.url, 'free')
  free.send({ op: 'subscribeStructures' })
  const paid = await Client.open(server.url)
  paid.send({ op: 'subscribeStructures', venues: ['nowhere'] })
  paid.send({ op: 'subscribeStructures', kinds: ['sure'] })
  await Promise.all([free.count(1), paid.count(2)])
  expect(free.frames).toMatchObject([{ code: 'PLAN_UPGRADE_REQUIRED', channel: 'structures' }])
  expect(paid.frames.map(({ code }) => code)).toEqual(['BAD_MESSAGE', 'BAD_MESSAGE'])
})

it('reports with every frame whether the search is complete, and sends a frame when only that changes', async () => {
  const { server, publish } = await world()
  publish({ kind: 'state', rows: [row('a', 'implication', 2)], counts: { ...counts, searched: 0, complete: false } })
  const client = await Client.open(server.url)
  client.send({ op: 'subscribeStructures' })
  await client.count(2)
  expect(client.frames[1]).toMatchObject({ data: { kind: 'snapshot', complete: false } })
  publish({ kind: 'beat' })
  await client.count(3)
  expect(client.frames[2]).toMatchObject({ data: { kind: 'delta', upserts: [], removes: [], complete: true } })
})
