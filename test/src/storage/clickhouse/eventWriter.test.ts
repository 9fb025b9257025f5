import { expect, test, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { CoverageEvent } from '#schemas/topics'
import { createLocalBus } from '#storage/bus/local'
import type { TapeStore } from '#storage/clickhouse/client'
import { startEventWriter } from '#storage/clickhouse/eventWriter'
import { flushMs } from '#storage/clickhouse/writer'

const outcomesIn = (rows: Buffer): string[] => rows.toString('latin1').match(/outcome\d/g) ?? []

test('in one process writes the first event at once, groups those of the next second, and flushes the rest on stop', async () => {
  const clock = new ManualClock()
  const inserts: string[][] = []
  const store = {
    insert: async (_target: unknown, rows: Buffer) => void inserts.push(outcomesIn(rows)),
  } as unknown as TapeStore
  const bus = createLocalBus({
    onError(error) {
      throw error
    },
  })
  const publish = (n: number): void =>
    bus.publish('coverage', `kalshi:outcome${n}`, {
      venue: 'kalshi',
      outcomeId: `outcome${n}`,
      kind: 'opened',
      mechanism: 'ws-lossless',
      effectiveIntervalMs: null,
      reason: null,
      at: clock.now(),
    } satisfies CoverageEvent)
  const writer = await startEventWriter('coverage', { bus, store, clock, log: silentLog, mode: 'local' })

  publish(1)
  await vi.waitFor(() => expect(clock.pendingCount).toBe(1))
  expect(inserts).toEqual([['outcome1']])
  publish(2)
  clock.advance(flushMs - 1)
  publish(3)
  expect(inserts).toHaveLength(1)
  clock.advance(1)
  await vi.waitFor(() => expect(clock.pendingCount).toBe(1))
  expect(inserts).toEqual([['outcome1'], ['outcome2', 'outcome3']])
  publish(4)
  await writer.stop()
  expect(inserts).toEqual([['outcome1'], ['outcome2', 'outcome3'], ['outcome4']])
  expect(clock.pendingCount).toBe(0)
})
