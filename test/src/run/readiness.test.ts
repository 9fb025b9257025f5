import { expect, it } from 'vitest'
import { ManualClock } from '#lib/clock'
import { createReadiness, lookUntilReady } from '#run/readiness'

it('a gateway is not ready before every part has served at once', () => {
  const parts = { postgres: true, kafka: false, roles: false }
  const readiness = createReadiness({ isGateway: true, parts: () => ({ ...parts }) })
  expect(readiness()).toEqual({ ready: false, parts })
  parts.kafka = true
  expect(readiness().ready).toBe(false)
  parts.roles = true
  expect(readiness()).toEqual({ ready: true, parts })
})

it('a gateway that was ready stays so without any of its dependencies, and names them', () => {
  const parts = { postgres: true, clickhouse: true, kafka: true, books: true }
  const readiness = createReadiness({ isGateway: true, parts: () => ({ ...parts }) })
  expect(readiness().ready).toBe(true)
  for (const name of ['postgres', 'clickhouse', 'kafka', 'books'] as const) {
    parts[name] = false
    expect(readiness()).toEqual({ ready: true, parts })
  }
})

it('a process without a gateway is ready only while every part serves', () => {
  const parts = { postgres: true, kafka: true }
  const readiness = createReadiness({ isGateway: false, parts: () => ({ ...parts }) })
  expect(readiness().ready).toBe(true)
  parts.kafka = false
  expect(readiness().ready).toBe(false)
  parts.kafka = true
  expect(readiness().ready).toBe(true)
})

it('a gateway whose parts served when no one asked stays ready, and is looked at no longer', () => {
  const clock = new ManualClock()
  const parts = { kafka: true, books: false }
  const readiness = createReadiness({ isGateway: true, parts: () => ({ ...parts }) })
  lookUntilReady(readiness, clock)
  clock.advance(5_000)
  parts.books = true
  clock.advance(1_000)
  parts.kafka = false
  expect(readiness()).toEqual({ ready: true, parts })
  expect(clock.pendingCount).toBe(0)
})

it('a look that is given up leaves no timer', () => {
  const clock = new ManualClock()
  const stop = lookUntilReady(() => ({ ready: false, parts: {} }), clock)
  clock.advance(1_000)
  stop()
  expect(clock.pendingCount).toBe(0)
})
