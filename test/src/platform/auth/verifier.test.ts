import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#lib/clock'
import { generateKey, hashKey } from '#platform/auth/keys'
import type { KeyVerifier, Principal } from '#platform/auth/principal'
import { createKeyVerifier, type StoredKey } from '#platform/auth/verifier'

const key = generateKey()
const principal: Principal = { accountId: 'a', keyId: 'k', plan: 'pro', scopes: ['read'] }

/** A store at the edge: what it holds, whether it answers, and how often it was asked. */
class Store {
  readonly rows = new Map<string, StoredKey>()
  asked = 0
  down = false
  /** Set: answers wait until it is called. */
  release: (() => void) | null = null

  readonly find = async (sha256: Buffer): Promise<StoredKey | null> => {
    this.asked++
    if (this.release) {
      await new Promise<void>((resolve) => {
        const before = this.release!
        this.release = () => {
          before()
          resolve()
        }
      })
    }
    if (this.down) throw new Error('connection refused')
    return this.rows.get(sha256.toString('hex')) ?? null
  }

  put(apiKey: string, live = true): void {
    this.rows.set(hashKey(apiKey), { sha256: Buffer.from(hashKey(apiKey), 'hex'), principal, live })
  }
}

let store: Store
let clock: ManualClock
let verifier: KeyVerifier
beforeEach(() => {
  store = new Store()
  clock = new ManualClock()
  verifier = createKeyVerifier({ find: store.find, clock, cacheMs: 10_000, invalidMs: 1_000, outageMs: 60_000 })
})

const valid = { kind: 'valid', principal }

describe('verifier', () => {
  test('a known key is answered from memory, at once, until cacheMs have passed', async () => {
    store.put(key)
    expect(await verifier.verify(key)).toEqual(valid)
    clock.advance(9_999)
    // Not a promise: the hot path waits for nothing.
    expect(verifier.verify(key)).toEqual(valid)
    expect(store.asked).toBe(1)
    clock.advance(1)
    expect(await verifier.verify(key)).toEqual(valid)
    expect(store.asked).toBe(2)
  })

  test('a revoked key is refused at most cacheMs later, and then without asking again for a while', async () => {
    store.put(key)
    await verifier.verify(key)
    store.put(key, false)
    clock.advance(10_000)
    expect(await verifier.verify(key)).toEqual({ kind: 'invalid' })
    expect(verifier.verify(key)).toEqual({ kind: 'invalid' })
    expect(store.asked).toBe(2)
  })

  test('a key issued after it was refused is taken once invalidMs have passed', async () => {
    expect(await verifier.verify(key)).toEqual({ kind: 'invalid' })
    store.put(key)
    expect(verifier.verify(key)).toEqual({ kind: 'invalid' })
    clock.advance(1_000)
    expect(await verifier.verify(key)).toEqual(valid)
  })

  test('what cannot be a key is refused without asking', () => {
    for (const text of ['', 'x', 'Bearer', `${key} `, 'x'.repeat(10_000)]) {
      expect(verifier.verify(text)).toEqual({ kind: 'invalid' })
    }
    expect(store.asked).toBe(0)
  })

  test('a thousand askers at once make one question', async () => {
    store.put(key)
    store.release = () => undefined
    const answers = Array.from({ length: 1_000 }, () => verifier.verify(key))
    store.release()
    expect(new Set((await Promise.all(answers)).map((answer) => answer.kind))).toEqual(new Set(['valid']))
    expect(store.asked).toBe(1)
  })

  test('a row that is not the key asked for is not taken, whatever the store says', async () => {
    store.rows.set(hashKey(key), { sha256: Buffer.alloc(32, 1), principal, live: true })
    expect(await verifier.verify(key)).toEqual({ kind: 'invalid' })
  })

  test('while the store is down a key known to be valid stays so for outageMs, then nothing is known', async () => {
    store.put(key)
    await verifier.verify(key)
    store.down = true
    clock.advance(10_000)
    expect(await verifier.verify(key)).toEqual(valid)
    // Not every request asks a store that is down.
    expect(verifier.verify(key)).toEqual(valid)
    expect(store.asked).toBe(2)
    clock.advance(50_001)
    expect(await verifier.verify(key)).toMatchObject({ kind: 'inconclusive' })
    store.down = false
    expect(await verifier.verify(key)).toEqual(valid)
  })

  test('an outage does not bring a revoked key back', async () => {
    store.put(key)
    await verifier.verify(key)
    store.put(key, false)
    clock.advance(10_000)
    expect(await verifier.verify(key)).toEqual({ kind: 'invalid' })
    store.down = true
    clock.advance(1_000)
    expect(await verifier.verify(key)).toMatchObject({ kind: 'inconclusive' })
  })

  test('an unknown key during an outage is inconclusive, not invalid', async () => {
    store.down = true
    expect(await verifier.verify(key)).toMatchObject({ kind: 'inconclusive', cause: new Error('connection refused') })
  })

  test('guesses neither pile up behind the store nor push customers out of memory', async () => {
    store.put(key)
    await verifier.verify(key)
    store.release = () => undefined
    const guesses = Array.from({ length: 1_000 }, () => verifier.verify(generateKey()))
    expect(store.asked).toBeLessThanOrEqual(257)
    store.release()
    const kinds = (await Promise.all(guesses)).map((answer) => answer.kind)
    expect(new Set(kinds)).toEqual(new Set(['invalid', 'inconclusive']))
    store.release = null
    for (let i = 0; i < 30_000; i++) await verifier.verify(generateKey())
    expect(verifier.verify(key)).toEqual(valid)
  })
})
