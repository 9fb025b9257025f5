import { expect, it } from 'vitest'
import { createReadiness } from '#run/readiness'

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
