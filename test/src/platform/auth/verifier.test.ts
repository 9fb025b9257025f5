import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { generateKey, hashKey } from '#platform/auth/keys'
import type { KeyVerifier, Principal } from '#platform/auth/principal'
import { createKeyVerifier, type StoredKey } from '#platform/auth/verifier'

const key = generateKey()
const principal: Principal = { accountId: 'a', keyId: 'k', plan: 'pro', scopes: ['read'] }

/** A stub store: its keys, whether it answers, and the number of lookups. */
class Store {
  readonly rows = new Map<string, StoredKey>()
  lookups = 0
  down = false
  /** If set, lookups wait until it is called. */
  release: (() => void) | null = null

  readonly find = async (sha256: Buffer): Promise<StoredKey | null> => {
    this.lookups++
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
  test('verifies a known key from memory, at once, until cacheMs have passed', async () => {
    store.put(key)
    expect(await verifier.verify(key)).toEqual(valid)
    clock.advance(9_999)
    // Not a promise: the hot path waits for nothing.
    expect(verifier.verify(key)).toEqual(valid)
    expect(store.lookups).toBe(1)
    clock.advance(1)
    expect(await verifier.verify(key)).toEqual(valid)
    expect(store.lookups).toBe(2)
  })

  test('refuses a revoked key at most cacheMs later, and then without another lookup for a while', async () => {
    store.put(key)
    await verifier.verify(key)
    store.put(key, false)
    clock.advance(10_000)
    expect(await verifier.verify(key)).toEqual({ kind: 'invalid' })
    expect(verifier.verify(key)).toEqual({ kind: 'invalid' })
    expect(store.lookups).toBe(2)
  })

  test('accepts a key issued after it was refused once invalidMs have passed', async () => {
    expect(await verifier.verify(key)).toEqual({ kind: 'invalid' })
    store.put(key)
    expect(verifier.verify(key)).toEqual({ kind: 'invalid' })
    clock.advance(1_000)
    expect(await verifier.verify(key)).toEqual(valid)
  })

  test('refuses a malformed key without a lookup', () => {
    for (const text of ['', 'x', 'Bearer', `${key} `, 'x'.repeat(10_000)]) {
      expect(verifier.verify(text)).toEqual({ kind: 'invalid' })
    }
    expect(store.lookups).toBe(0)
  })

  test('a thousand concurrent callers cause one lookup', async () => {
    store.put(key)
    store.release = () => undefined
    const answers = Array.from({ length: 1_000 }, () => verifier.verify(key))
    store.release()
    expect(new Set((await Promise.all(answers)).map((answer) => answer.kind))).toEqual(new Set(['valid']))
    expect(store.lookups).toBe(1)
  })

  test('ignores a row of another key, whatever the store returns', async () => {
    store.rows.set(hashKey(key), { sha256: Buffer.alloc(32, 1), principal, live: true })
    expect(await verifier.verify(key)).toEqual({ kind: 'invalid' })
  })

  test('while the store is down a key known to be valid stays so for outageMs, then the result is inconclusive', async () => {
    store.put(key)
    await verifier.verify(key)
    store.down = true
    clock.advance(10_000)
    expect(await verifier.verify(key)).toEqual(valid)
    // Not every request tries a store that is down.
    expect(verifier.verify(key)).toEqual(valid)
    expect(store.lookups).toBe(2)
    clock.advance(50_001)
    expect(await verifier.verify(key)).toMatchObject({ kind: 'inconclusive' })
    store.down = false
    expect(await verifier.verify(key)).toEqual(valid)
  })

  test('an outage does not make a revoked key valid again', async () => {
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

  test('guessed keys neither pile up behind the store nor evict customers from memory', async () => {
    store.put(key)
    await verifier.verify(key)
    store.release = () => undefined
    const guesses = Array.from({ length: 1_000 }, () => verifier.verify(generateKey()))
    expect(store.lookups).toBeLessThanOrEqual(257)
    store.release()
    const kinds = (await Promise.all(guesses)).map((answer) => answer.kind)
    expect(new Set(kinds)).toEqual(new Set(['invalid', 'inconclusive']))
    store.release = null
    for (let i = 0; i < 30_000; i++) await verifier.verify(generateKey())
    expect(verifier.verify(key)).toEqual(valid)
  })
})
