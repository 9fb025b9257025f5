import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { createReadiness, lookUntilReady } from '#roles/readiness'

it('a gateway becomes ready only when all dependencies have worked at the same time', () => {
  const parts = { postgres: true, kafka: false, roles: false }
  const readiness = createReadiness({ isGateway: true, parts: () => ({ ...parts }) })
  expect(readiness()).toEqual({ ready: false, parts })
  parts.kafka = true
  expect(readiness().ready).toBe(false)
  parts.roles = true
  expect(readiness()).toEqual({ ready: true, parts })
})

it('a gateway stays ready without its dependencies and names them', () => {
  const parts = { postgres: true, clickhouse: true, kafka: true, books: true }
  const readiness = createReadiness({ isGateway: true, parts: () => ({ ...parts }) })
  expect(readiness().ready).toBe(true)
  for (const name of ['postgres', 'clickhouse', 'kafka', 'books'] as const) {
    parts[name] = false
    expect(readiness()).toEqual({ ready: true, parts })
  }
})

it('a process without a gateway is ready only while all dependencies work', () => {
  const parts = { postgres: true, kafka: true }
  const readiness = createReadiness({ isGateway: false, parts: () => ({ ...parts }) })
  expect(readiness().ready).toBe(true)
  parts.kafka = false
  expect(readiness().ready).toBe(false)
  parts.kafka = true
  expect(readiness().ready).toBe(true)
})

it('a gateway becomes ready without a request to /ready, and then stops polling', () => {
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

it('stopping the polling leaves no timer', () => {
  const clock = new ManualClock()
  const stop = lookUntilReady(() => ({ ready: false, parts: {} }), clock)
  clock.advance(1_000)
  stop()
  expect(clock.pendingCount).toBe(0)
})
