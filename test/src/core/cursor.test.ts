import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCursorCodec, cursorBinding, cursorLengthMax } from '#core/cursor'
import { Fault } from '#core/fault'

const codec = createCursorCodec(Buffer.alloc(32, 7))
const value = { after: [0.125, 'polymarket', '713210457'] }
const cursor = codec.encode('markets', 'sort:volume', value)

/** True when the cursor opened. Anything but the expected refusal fails the test. */
function opens(kind: string, bind: string, text: string, opener = codec): boolean {
  try {
    opener.decode(kind, bind, text)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(Fault)
    expect((error as Fault).code).toBe('VALIDATION_ERROR')
    return false
  }
}

describe('cursor codec', () => {
  test('any JSON value round-trips', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.string(), (any, kind, bind) => {
        const plain = JSON.parse(JSON.stringify(any))
        expect(codec.decode(kind, bind, codec.encode(kind, bind, plain))).toEqual(plain)
      }),
    )
  })

  test('none of 10,000 mutations of a cursor is accepted', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ .\n\u0000é'
    const place = fc.nat(cursor.length - 1)
    const letter = fc.constantFrom(...alphabet)
    const mutation = fc.oneof(
      fc.tuple(place, letter).map(([at, by]) => cursor.slice(0, at) + by + cursor.slice(at + 1)),
      fc.tuple(place, letter).map(([at, by]) => cursor.slice(0, at) + by + cursor.slice(at)),
      place.map((at) => cursor.slice(0, at)),
      place.map((at) => cursor.slice(at + 1)),
      place.map((at) => cursor.slice(0, at) + cursor.slice(at + 1)),
      fc.string({ unit: letter, maxLength: 8 }).map((tail) => cursor + tail),
      fc.tuple(place, place).map(([a, b]) => {
        const letters = [...cursor]
        ;[letters[a], letters[b]] = [letters[b]!, letters[a]!]
        return letters.join('')
      }),
      fc.uint8Array({ minLength: 0, maxLength: 80 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
    )
    let accepted = 0
    fc.assert(
      fc.property(
        mutation.filter((text) => text !== cursor),
        (text) => {
          if (opens('markets', 'sort:volume', text)) accepted++
          expect(accepted).toBe(0)
        },
      ),
      { numRuns: 10_000 },
    )
  })

  test('a cursor opens for its own kind, query and deployment only', () => {
    expect(opens('markets', 'sort:volume', cursor)).toBe(true)
    expect(opens('events', 'sort:volume', cursor)).toBe(false)
    expect(opens('markets', 'sort:newest', cursor)).toBe(false)
    expect(opens('markets', 'sort:volume', cursor, createCursorCodec(Buffer.alloc(32, 8)))).toBe(false)
    // The same bytes in sequence, split at another place.
    expect(opens('marketss', 'ort:volume', cursor)).toBe(false)
  })

  test('refuses a cursor longer than any of ours before decoding it', () => {
    expect(opens('markets', 'sort:volume', 'A'.repeat(cursorLengthMax + 1))).toBe(false)
  })
})

describe('bindOf', () => {
  test('ignores the order of keys and absent keys, and nothing else', () => {
    expect(cursorBinding({ a: 1, b: { c: [1, 2], d: undefined } })).toBe(cursorBinding({ b: { c: [1, 2] }, a: 1 }))
    const different = [{ a: 1 }, { a: '1' }, { a: null }, { b: 1 }, { a: [1] }, { a: [1, 2] }, { a: [2, 1] }, {}, null]
    expect(new Set(different.map(cursorBinding)).size).toBe(different.length)
  })
})
