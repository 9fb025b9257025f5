import { expect, it } from 'vitest'
import { type BuildInputs, keyOfBody, kindOfBody, observe, RepeatedBuilds } from '#backtest/exchange/repeatedBuilds'
import { systemClock } from '#core/clock'

interface Made {
  order: { filled: number }
  unsigned: Record<string, unknown>
  summary: { clientOrderId?: unknown; outcome: object }
}

const outcome = { label: 'Yes' }
const plain = ({ randomUuid }: BuildInputs): Made => {
  const id = randomUuid()
  return { order: { filled: 0 }, unsigned: { id, price: '0.4' }, summary: { clientOrderId: id, outcome } }
}

/** A build, and its copy, if it could be learned. */
async function learned(build: (inputs: BuildInputs) => Made): Promise<{ first: Made; copy: Made | null }> {
  let draws = 0
  const randomUuid = (): string => `id-${++draws}`
  const builds = new RepeatedBuilds<Made>(randomUuid)
  const observed = observe({ clock: systemClock, randomBytes: (length) => new Uint8Array(length), randomUuid })
  const first = build(observed.inputs)
  await builds.learn({ key: 'k', kind: 'k' }, first, observed, async (inputs) => build(inputs))
  return { first, copy: builds.copy('k') }
}

it('copies a build with an id and an order of its own', async () => {
  const { first, copy } = await learned(plain)
  expect(first.unsigned).toEqual({ id: 'id-1', price: '0.4' })
  expect(copy).toEqual({
    order: { filled: 0 },
    unsigned: { id: 'id-2', price: '0.4' },
    summary: { clientOrderId: 'id-2', outcome },
  })
  expect(copy!.order).not.toBe(first.order)
  expect(Object.isFrozen(copy!.unsigned)).toBe(true)
})

it.each<[what: string, build: (inputs: BuildInputs) => Made]>([
  ['reads the time', (inputs) => ({ ...plain(inputs), unsigned: { at: inputs.clock.now() } })],
  ['draws random bytes', (inputs) => ({ ...plain(inputs), unsigned: { salt: inputs.randomBytes(2).length } })],
  ['draws two ids', (inputs) => ({ ...plain(inputs), unsigned: { other: inputs.randomUuid() } })],
  [
    'derives a value from its id',
    ({ randomUuid }) => ({ order: { filled: 0 }, unsigned: { length: randomUuid().length }, summary: { outcome } }),
  ],
])('does not copy a build that %s', async (_, build) => {
  const { copy } = await learned(build)
  expect(copy).toBeNull()
})

it('distinguishes bodies by every field, and kinds by every field but amounts', () => {
  const body = { outcome: 'A', isBuy: true, price: '0.4', size: 10 }
  expect(keyOfBody('kalshi', body)).not.toBe(keyOfBody('kalshi', { ...body, price: '0.5' }))
  expect(keyOfBody('kalshi', body)).not.toBe(keyOfBody('kalshi', { ...body, size: '10' }))
  expect(kindOfBody('kalshi', body)).toBe(kindOfBody('kalshi', { ...body, price: '0.5' }))
  expect(kindOfBody('kalshi', body)).not.toBe(kindOfBody('kalshi', { ...body, isBuy: false }))
  expect(keyOfBody('kalshi', { ...body, params: {} })).toBeNull()
})
