import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isPlain, plainJson, plainLine, plainText } from '#core/plainText'

const hostile = 'Will \u001b[31mred\u001b[0m\u0007 win\u009b2J? \u202egpj.exe\u2066 \u{e0041}\u200b'

it('replaces control characters and bidirectional overrides, keeping the length', () => {
  const line = plainLine(hostile)
  expect(line).toBe('Will \ufffd[31mred\ufffd[0m\ufffd win\ufffd2J? \ufffdgpj.exe\ufffd \ufffd\ufffd\ufffd')
  expect(line).toHaveLength(hostile.length)
  expect(plainLine('one\ntwo\tthree\r')).toBe('one two three ')
})

it('leaves ordinary text of any script unchanged', () => {
  for (const text of ['São Paulo – 100 °C', 'می‌خواهم', '👨‍👩‍👧 wins', '比特币'])
    expect([plainLine(text), isPlain(text)]).toEqual([text, true])
})

it('keeps line breaks and tabs of a text', () => {
  expect(plainText('one\n\ttwo\u001b')).toBe('one\n\ttwo\ufffd')
})

it('escapes JSON without changing its value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
      const json = JSON.stringify([value, text, hostile], null, 1)
      expect(JSON.parse(plainJson(json))).toEqual(JSON.parse(json))
      expect(isPlain(plainJson(JSON.stringify([value, text, hostile])))).toBe(true)
    }),
  )
})
