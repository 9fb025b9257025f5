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
  it('gives its rows one by one, however the answer is cut into pieces', () => {
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
    ['no such list', '{"others":[{}]}'],
    ['one that does not end', '{"rows":[{"a":1},{"b":'],
    ['HTML', '<html>"rows"</html>'],
    ['rows that are no JSON', '{"rows":[{a:1}]}'],
    ['a row without an end', `{"rows":[{"a":"${'x'.repeat(70_000)}`],
    ['what is no list', `{"rows":"${'x'.repeat(70_000)}"}`],
  ])('%s is said', (_, text) => {
    expect(() => read([Buffer.from(text)])).toThrow(SyntaxError)
  })
})
