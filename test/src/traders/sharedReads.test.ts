import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { callerContext, type TraderVenue } from '#traders/index'
import { SharedReads } from '#traders/sharedReads'

let clock: ManualClock
let reads: SharedReads
const venue = (slug: string): TraderVenue =>
  ({ slug, traders: undefined, context: { signal: new AbortController().signal } }) as never

beforeEach(() => {
  clock = new ManualClock()
  reads = new SharedReads(clock)
})

describe('a venue request', () => {
  it('is sent once for concurrent callers with the same key, but separately per key and venue', async () => {
    const calls: string[] = []
    const read = (name: string) => async () => {
      calls.push(name)
      return name
    }
    const [a, b] = [venue('a'), venue('b')]
    const answers = [
      reads.request(a, 'k', read('1')),
      reads.request(a, 'k', read('2')),
      reads.request(a, 'l', read('3')),
    ]
    expect(await Promise.all([...answers, reads.request(b, 'k', read('4'))])).toEqual(['1', '1', '3', '4'])
    expect(calls).toEqual(['1', '3', '4'])
    expect(await reads.request(a, 'k', read('5'))).toBe('5')
  })

  it('is sent for the account that requests first', async () => {
    const who = async () => callerContext.getStore()
    const mine = { ...venue('a'), account: 'mine' }
    const answers = [reads.request(mine, 'k', who), reads.request({ ...mine, account: 'other' }, 'k', who)]
    expect(await Promise.all(answers)).toEqual(['mine', 'mine'])
    expect(await reads.request(venue('a'), 'k', who)).toBeUndefined()
  })

  it('times out with a retryable error and is aborted', async () => {
    let given: AbortSignal | undefined
    const pending = reads.request(venue('a'), 'k', ({ signal }) => {
      given = signal
      return new Promise<never>(() => undefined)
    })
    const refused = expect(pending).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
      exchange: 'a',
      retryAfterSeconds: 1,
    })
    clock.advance(7_999)
    expect(given?.aborted).toBe(false)
    clock.advance(1)
    await refused
    expect(given?.aborted).toBe(true)
    expect(await reads.request(venue('a'), 'k', async () => 'again')).toBe('again')
  })

  it('is cached for a minute if cacheable, and failures are not cached', async () => {
    let n = 0
    const read = async () => ++n
    const a = venue('a')
    await expect(reads.requestCached(a, 'k', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect([await reads.requestCached(a, 'k', read), await reads.requestCached(a, 'k', read)]).toEqual([1, 1])
    clock.advance(60_000)
    expect(await reads.requestCached(a, 'k', read)).toBe(2)
    for (let key = 0; key < 300; key++) await reads.requestCached(a, `other ${key}`, read)
    expect(await reads.requestCached(a, 'k', read)).toBe(303)
  })
})
