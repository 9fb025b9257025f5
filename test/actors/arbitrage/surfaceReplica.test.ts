// A gateway's surface after the gateway was suspended: frames that queued on the bus meanwhile are outdated.
import { expect, it } from 'vitest'
import { startSurfaceRelay } from '#actors/arbitrage/surfaceReplica'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { SurfaceFrame } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'
import { createLocalBus } from '#storage/bus/local'

it('drops frames that queued while the process was suspended, and withholds the rows until a current state arrives', async () => {
  const clock = new ManualClock()
  const local = createLocalBus({ onError: (error) => expect.unreachable(String(error)) })
  let lateMs = 0
  const bus: Bus = { ...local, subscribe: (topic, handle) => local.subscribe(topic, (value) => handle(value, lateMs)) }
  const requests: string[] = []
  await bus.subscribe('surfaceAsks', ({ want }) => requests.push(want))
  const relay = await startSurfaceRelay({ bus, clock, log: silentLog, intervalMs: 200, contracts: 100, limit: 100 })
  const publish = (kind: SurfaceFrame['kind'], seq: number): void => {
    bus.publish('surfaceFrames', 'sequencer', {
      term: 1,
      kind,
      seq,
      prev: kind === 'delta' ? seq - 1 : seq,
      snapshot: false,
      pass: false,
      part: { i: 1, last: true },
      computedAt: clock.now(),
      publishedAt: clock.now(),
      intervalMs: 200,
      contracts: 100,
      limit: 100,
      rows: [],
      removes: [],
      body: Buffer.alloc(0),
    })
    clock.advance(10)
  }
  publish('state', 1)
  publish('delta', 2)
  expect([relay.withheld, relay.publication.seq]).toEqual([false, 2])
  clock.stall(30_000)
  lateMs = 29_000
  requests.length = 0
  for (const seq of [3, 4, 5]) publish('delta', seq)
  expect([relay.withheld, relay.publication.seq]).toEqual([true, 2])
  expect(requests).toContain('state')
  lateMs = 0
  publish('delta', 6)
  expect(relay.withheld).toBe(true)
  publish('state', 6)
  expect([relay.withheld, relay.publication.seq]).toEqual([false, 6])
  await relay.stop()
})
