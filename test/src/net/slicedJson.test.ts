import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnswerTooComplex } from '#net/jsonScan'
import { assembledKeysMax, parseInSlices } from '#net/slicedJson'
import { casesOf } from '#test/support/shortRuns'

const parsedBy = async (parse: () => unknown): Promise<{ value: unknown } | 'refused'> => {
  try {
    return { value: await parse() }
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError)
    return 'refused'
  }
}

const expectSame = async (text: string, valuesMax: number, bytesMax: number): Promise<void> => {
  const ours = await parsedBy(() => parseInSlices(Buffer.from(text), { valuesMax, bytesMax }))
  const reference = await parsedBy(() => JSON.parse(text))
  // As text, because the order of keys matters, too.
  expect(JSON.stringify(ours), text).toBe(JSON.stringify(reference))
  expect(ours).toEqual(reference)
}

const slice = [fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 80 })] as const
const json = fc.jsonValue({ maxDepth: 6 })
const spaced = (value: unknown): string => JSON.stringify(value, null, '\r\n\t ')

describe('JSON parsed in slices', () => {
  it('equals the parser’s result, however short the slices', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          json.map((v) => JSON.stringify(v)),
          json.map(spaced),
        ),
        ...slice,
        expectSame,
      ),
      { numRuns: casesOf(3_000) },
    )
  }, 60_000)

  it('is refused where the parser refuses it: text with parts removed, repeated or moved', async () => {
    const piece = fc.constantFrom(
      ',',
      ':',
      '[',
      ']',
      '{',
      '}',
      '"',
      '\\',
      '1',
      ' ',
      '"a":',
      '[1,2]',
      '{"a":1}',
      '\u00a0',
      'x',
    )
    const broken = fc
      .tuple(json, fc.nat(), fc.nat({ max: 6 }), fc.array(piece, { maxLength: 2 }))
      .map(([value, place, length, pieces]) => {
        const text = JSON.stringify(value)
        const at = place % (text.length + 1)
        return text.slice(0, at) + pieces.join('') + text.slice(at + length)
      })
    await fc.assert(fc.asyncProperty(broken, ...slice, expectSame), { numRuns: casesOf(10_000) })
  }, 120_000)

  const long = '[1,2,3,4,5]'
  it.each([
    `[${long}${long}]`,
    `[${long},]`,
    `[,${long}]`,
    `[${long},,${long}]`,
    `[${long} ${long}]`,
    `[${long}1]`,
    `[1${long}]`,
    `[${long},1`,
    `[${long}}`,
    `${long}]`,
    `${long}${long}`,
    `${long} x`,
    `x ${long}`,
    `{${long}}`,
    `{"a"${long}}`,
    `{"a":1 ${long}}`,
    `{"a":1,"b":${long} "c":2}`,
    `{"a":${long},}`,
    `{"a":1,,"b":${long}}`,
    '',
    ' ',
    '"',
    '[',
    '[1,2,3,4,5,',
    '{"a":1,"b":2,"c":3,"d":4,',
  ])('refuses %s', async (text) => {
    expect(await parsedBy(() => JSON.parse(text))).toBe('refused')
    for (const valuesMax of [1, 2, 3, 6, 100])
      expect(await parsedBy(() => parseInSlices(Buffer.from(text), { valuesMax })), String(valuesMax)).toBe('refused')
  })

  it('keeps the last of two equal keys, and a key that would change what the object inherits', async () => {
    const text = `{"a":1,"__proto__":{"b":[1,2,3]},"a":[1,2,3],"c":2,"__proto__":3,"a":4}`
    for (const valuesMax of [1, 2, 3, 4, 100]) await expectSame(text, valuesMax, 1_000)
    expect(Object.getPrototypeOf(await parseInSlices(Buffer.from(text), { valuesMax: 1 }))).toBe(Object.prototype)
  })

  it('skips a byte order mark, as text decoders do', async () => {
    for (const valuesMax of [1, 100])
      expect(await parseInSlices(Buffer.from('\ufeff[1,2]'), { valuesMax })).toEqual([1, 2])
  })

  it('lets other work of the thread run between slices', async () => {
    const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `row ${id}` }))
    let others = 0
    let parsing = true
    const other = (): void => {
      others++
      if (parsing) setImmediate(other)
    }
    setImmediate(other)
    await parseInSlices(Buffer.from(JSON.stringify({ rows })), { valuesMax: 100 })
    parsing = false
    // Each row has three values or more.
    expect(others).toBeGreaterThan(100)
  })

  it('refuses an object with too many keys', async () => {
    const keys = Array.from({ length: assembledKeysMax + 1 }, (_, n) => `"k${n}":1`)
    await expect(parseInSlices(Buffer.from(`{${keys.join(',')}}`))).rejects.toThrow(AnswerTooComplex)
  })
})
