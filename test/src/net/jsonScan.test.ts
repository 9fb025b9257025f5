import { describe, expect, it } from 'vitest'
import { AnswerTooComplex, checkComplexity, frameValuesMax, parseFrameJson } from '#net/jsonScan'

describe('a frame of a socket', () => {
  const megabyte = (unit: string, around = ['[', '1]']): string =>
    around[0] + unit.repeat(Math.ceil((2 * 1024 * 1024) / unit.length)) + around[1]

  it.each([
    ['nested lists', megabyte('['), 'nested deeper than 64 levels'],
    ['many empty lists', megabyte('[],'), 'more than 100000 values'],
    ['many keys', megabyte('"a":1,', ['{', '"b":2}']), 'more than 100000 values'],
    ['one text', megabyte('\\n', ['["', '"]']), 'a text or number of more than 1048576 bytes'],
  ])('that would block the event loop is refused: %s', (_, text, reason) => {
    expect(() => parseFrameJson(text)).toThrow(AnswerTooComplex)
    expect(() => parseFrameJson(text)).toThrow(reason)
  })

  it('with the books of a whole socket is read', () => {
    const level = { price: '0.123', size: '1234.56' }
    const book = { asset_id: '1'.repeat(77), bids: Array(80).fill(level), asks: Array(80).fill(level) }
    const books = Array(200).fill(book)
    expect(parseFrameJson(JSON.stringify(books))).toEqual(books)
  })

  it('that is short is left to the parser', () => {
    expect(() => parseFrameJson('['.repeat(1_000))).toThrow(SyntaxError)
    expect(() => checkComplexity('['.repeat(1_000), frameValuesMax)).not.toThrow()
  })
})
