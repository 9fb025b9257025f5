import { describe, expect, it } from 'vitest'
import { FairSemaphore } from '#core/fairSemaphore'

/** Work that ends on request. */
function pieces(gate: FairSemaphore) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    start: (key: string, name: string, signal?: AbortSignal) =>
      gate.run(
        key,
        () => {
          begun.push(name)
          return new Promise<void>((resolve) => ends.set(name, resolve))
        },
        signal,
      ),
    end: async (name: string) => {
      ends.get(name)!()
      await new Promise(setImmediate)
    },
  }
}

const limits = { inAll: 2, perKey: 1, waitingInAll: 4, waitingPerKey: 3, refusal: 'too much is waiting' }

describe('a semaphore', () => {
  it('limits concurrency in total and per key, and serves the keys in turn', async () => {
    const { begun, start, end } = pieces(new FairSemaphore(limits))
    const all = [start('a', 'a1'), start('a', 'a2'), start('a', 'a3'), start('b', 'b1'), start('c', 'c1')]
    await new Promise(setImmediate)
    expect(begun).toEqual(['a1', 'b1'])
    await end('a1')
    expect(begun).toEqual(['a1', 'b1', 'a2'])
    await end('a2')
    expect(begun.at(-1)).toBe('c1')
    await end('b1')
    expect(begun.at(-1)).toBe('a3')
    await end('c1')
    await end('a3')
    await Promise.all(all)
  })

  it('refuses work beyond the queue limits, per key and in total', async () => {
    const { start, end } = pieces(new FairSemaphore(limits))
    const running = [start('a', 'a1'), start('a', 'a2'), start('a', 'a3'), start('a', 'a4')]
    await expect(start('a', 'a5')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: 'too much is waiting',
      retryAfterSeconds: 1,
    })
    running.push(start('b', 'b1'), start('c', 'c1'))
    await expect(start('d', 'd1')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    for (const name of ['a1', 'b1', 'a2', 'c1', 'a3', 'a4']) await end(name)
    await Promise.all(running)
  })

  it('continues after work that throws', async () => {
    const gate = new FairSemaphore({ ...limits, inAll: 1 })
    const failing = gate.run('a', () => Promise.reject(new Error('no')))
    const next = gate.run('b', () => 7)
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe(7)
  })

  it('drops queued work whose signal aborts, and frees its place', async () => {
    const { begun, start, end } = pieces(new FairSemaphore(limits))
    const first = start('a', 'a1')
    const abort = new AbortController()
    const gone = Array.from({ length: 3 }, (_, i) => start('a', `gone${i}`, abort.signal))
    await expect(start('a', 'refused')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    abort.abort()
    for (const one of gone) await expect(one).rejects.toMatchObject({ status: 499 })
    const next = start('a', 'a2')
    await end('a1')
    await end('a2')
    await Promise.all([first, next])
    expect(begun).toEqual(['a1', 'a2'])
  })

  it('keeps the slot of running work whose signal aborts until the work ends', async () => {
    const { begun, start, end } = pieces(new FairSemaphore(limits))
    const abort = new AbortController()
    const running = start('a', 'a1', abort.signal)
    const next = start('a', 'a2')
    await new Promise(setImmediate)
    abort.abort()
    await new Promise(setImmediate)
    expect(begun).toEqual(['a1'])
    await end('a1')
    expect(begun).toEqual(['a1', 'a2'])
    await end('a2')
    await Promise.all([running, next])
  })

  it('never starts work whose signal is already aborted', async () => {
    const { begun, start, end } = pieces(new FairSemaphore(limits))
    await expect(start('a', 'a1', AbortSignal.abort())).rejects.toMatchObject({ status: 499 })
    const next = start('a', 'a2')
    await new Promise(setImmediate)
    expect(begun).toEqual(['a2'])
    await end('a2')
    await next
  })
})
