import { describe, expect, it } from 'vitest'
import type { TapeBatch } from '#schemas/topics'
import { createLocalBus, localQueueMax } from '#storage/bus/local'

const batch = (outcomeId: string): TapeBatch => ({ venue: 'v', outcomeId, topOfBook: [], trades: [], books: [] })

function bus() {
  const errors: unknown[] = []
  return { errors, bus: createLocalBus({ onError: (error) => errors.push(error) }) }
}

describe('the local bus', () => {
  it('calls every subscriber before publish returns', async () => {
    const { bus: b } = bus()
    const seen: string[] = []
    await b.subscribe('demand', (demand) => seen.push(demand.venue))
    b.publish('demand', 'k', { gatewayId: 'g', venue: 'kalshi', marketIds: [], at: 1 })
    expect(seen).toEqual(['kalshi'])
  })

  it('calls the other subscribers when one throws, and reports the error', async () => {
    const { bus: b, errors } = bus()
    const seen: string[] = []
    await b.subscribe('demand', () => {
      throw new Error('bug')
    })
    await b.subscribe('demand', (demand) => seen.push(demand.venue))
    b.publish('demand', 'k', { gatewayId: 'g', venue: 'kalshi', marketIds: [], at: 1 })
    expect(seen).toEqual(['kalshi'])
    expect(errors).toHaveLength(1)
  })

  it('delivers shared messages in order and in batches while the consumer is busy', async () => {
    const { bus: b } = bus()
    const batches: string[][] = []
    let release: () => void = () => undefined
    const first = new Promise<void>((resolve) => {
      release = resolve
    })
    const stop = await b.consume('tape', 'g', async ({ values }) => {
      batches.push(values.map((value) => value.outcomeId))
      if (batches.length === 1) await first
    })
    b.publish('tape', 'a', batch('1'))
    await Promise.resolve()
    await Promise.resolve()
    b.publish('tape', 'a', batch('2'))
    b.publish('tape', 'a', batch('3'))
    release()
    await stop()
    expect(batches).toEqual([['1'], ['2', '3']])
  })

  it('makes producers wait for a slow consumer, without losing messages', async () => {
    const { bus: b } = bus()
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    let handled = 0
    const stop = await b.consume('tape', 'g', async ({ values }) => {
      await gate
      handled += values.length
    })
    for (let i = 0; i < localQueueMax + 10; i++) b.publish('tape', 'a', batch(String(i)))
    await Promise.resolve()
    await Promise.resolve()
    for (let i = 0; i < localQueueMax; i++) b.publish('tape', 'a', batch(String(i)))
    let ready = false
    const waiting = b.ready().then(() => {
      ready = true
    })
    await Promise.resolve()
    expect(ready).toBe(false)
    release()
    await waiting
    await stop()
    expect(handled).toBe(localQueueMax * 2 + 10)
  })

  it('delivers nothing to a stopped consumer', async () => {
    const { bus: b } = bus()
    let handled = 0
    const stop = await b.consume('tape', 'g', async () => {
      handled++
    })
    await stop()
    await stop()
    b.publish('tape', 'a', batch('1'))
    await b.close()
    expect(handled).toBe(0)
  })
})
