import { describe, expect, it } from 'vitest'
import { createPrng } from '#lab/prng'
import { longList } from '#venues/shared/data/streamingJsonArray'

const rows = [{ a: 1 }, { b: '}]{[,"' }, { c: [{ d: [] }], e: '\\' }, { f: 'ü€' }, [1, [2]], { g: null }]
const answer = Buffer.from(JSON.stringify({ other: [{ x: 1 }], rows, behind: [{ y: 2 }] }))

const read = (pieces: readonly Buffer[], name = 'rows'): unknown[] => {
  const seen: unknown[] = []
  const list = longList(name, (row) => seen.push(row))
  for (const piece of pieces) list.push(piece)
  list.end()
  return seen
}

describe('a long list', () => {
  it('yields its rows one by one, wherever the response is split', () => {
    expect(read([answer])).toEqual(rows)
    expect(read([...answer].map((byte) => Buffer.from([byte])))).toEqual(rows)
    const prng = createPrng('long list')
    for (let run = 0; run < 200; run++) {
      const cuts = Array.from({ length: 1 + prng.int(6) }, () => prng.int(answer.length)).sort((a, b) => a - b)
      const edges = [0, ...cuts, answer.length]
      expect(read(edges.slice(1).map((edge, n) => answer.subarray(edges[n], edge)))).toEqual(rows)
    }
  })

  it('may be empty', () => {
    expect(read([Buffer.from('{ "rows" : [ ] }')])).toEqual([])
  })

  it.each([
    ['a missing list', '{"others":[{}]}'],
    ['a truncated list', '{"rows":[{"a":1},{"b":'],
    ['HTML', '<html>"rows"</html>'],
    ['rows that are not JSON', '{"rows":[{a:1}]}'],
    ['a truncated row', `{"rows":[{"a":"${'x'.repeat(70_000)}`],
    ['another value than a list', `{"rows":"${'x'.repeat(70_000)}"}`],
  ])('%s is an error', (_, text) => {
    expect(() => read([Buffer.from(text)])).toThrow(SyntaxError)
  })
})
