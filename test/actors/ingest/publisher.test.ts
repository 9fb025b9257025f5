import { expect, test } from 'vitest'
import { Demands } from '#actors/ingest/demands'
import { Publisher } from '#actors/ingest/publisher'
import { ManualClock } from '#core/clock'
import type { BookUpdate, TopicName } from '#schemas/topics'

function world() {
  const clock = new ManualClock()
  const demands = new Demands()
  const sent: string[] = []
  let holds = true
  const publisher = new Publisher({
    venue: 'v',
    bus: {
      publish(_topic: TopicName, key, value, inboxes = []) {
        const { state, staleReason, seq } = value as BookUpdate
        sent.push(`${key} ${seq} ${state} ${staleReason} to ${inboxes}`)
      },
    },
    clock,
    tickMs: 1,
    lease: { epoch: 1, holds: () => holds },
    demands,
    defer: (run) => void clock.after(0, run),
  })
  return {
    ...{ clock, demands, publisher, sent },
    setUncertain(isUncertain: boolean) {
      holds = !isUncertain
    },
  }
}

test('withdraws a book once, also when the lease is uncertain for a moment', () => {
  const { clock, publisher, sent, setUncertain } = world()
  setUncertain(true)
  publisher.withdraw(4, ['a', 'b'])
  publisher.withdraw(4, ['a'])
  clock.advance(1_000)
  expect(sent).toEqual([])
  setUncertain(false)
  clock.advance(1_000)
  expect(sent).toEqual(['v:a 1 stale unwatched to 4', 'v:b 2 stale unwatched to 4'])
})

test('does not withdraw a book that the inbox demands again by then', () => {
  const { clock, demands, publisher, sent } = world()
  publisher.withdraw(4, ['a'])
  demands.set('g', { inbox: 4, marketIds: new Set(['a']), purpose: undefined, near: undefined, at: 0 })
  clock.advance(1_000)
  expect(sent).toEqual([])
})
