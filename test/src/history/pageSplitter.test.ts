import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitPage } from '#history/pageSplitter'

const positionOf = (line: Readonly<Record<string, unknown>>) => ({ ts: Number(line.ts), tie: String(line.tie) })

/** Rows as the engine prints them, with texts that contain everything JSON escapes. */
const rowOf = (ts: number, tie: string) => `${JSON.stringify({ k: 'tob', padding: 'x'.repeat(20), ts, tie })}\n`

async function* inPieces(text: string, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  let from = 0
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    const to = Math.min(bytes.length, Math.max(from, Math.round(cut * bytes.length)))
    // Empty chunks too: a socket may deliver them.
    yield Uint8Array.from(bytes.subarray(from, to))
    from = to
  }
  yield Uint8Array.from(bytes.subarray(from))
}

async function read(source: AsyncIterable<Uint8Array>, limit: number) {
  const page = splitPage(source, { limit, positionOf })
  const chunks: Uint8Array[] = []
  for await (const chunk of page.chunks) chunks.push(chunk)
  return { text: Buffer.concat(chunks).toString(), end: await page.end }
}

describe('a page', () => {
  test('contains the first rows byte for byte, however the bytes arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string(), { maxLength: 30 }),
        fc.integer({ min: 1, max: 32 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
        async (ties, limit, cuts) => {
          const all = ties.map((tie, i) => rowOf(i, tie))
          const sent = all.slice(0, limit + 1)
          const { text, end } = await read(inPieces(sent.join(''), cuts), limit)
          const rows = all.slice(0, limit)
          expect(text).toBe(rows.join(''))
          expect(end).toEqual({
            rows: rows.length,
            last: rows.length === 0 ? null : { ts: rows.length - 1, tie: ties[rows.length - 1] },
            more: all.length > limit,
          })
        },
      ),
    )
  })

  test('never ends between rows of one key', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
        async (limit, tied, cuts) => {
          const rows = Array.from({ length: limit - 1 }, (_, i) => rowOf(i, 'a'))
          const same = Array.from({ length: tied }, () => rowOf(limit, 'same'))
          const { text, end } = await read(inPieces([...rows, ...same].join(''), cuts), limit)
          expect(text).toBe([...rows, ...same].join(''))
          expect(end).toMatchObject({ rows: limit - 1 + tied, more: tied > 1 })
        },
      ),
    )
  })

  test('fails when the bytes end inside a row', async () => {
    const text = rowOf(1, 'a') + rowOf(2, 'b')
    const refusal = { code: 'HISTORY_UNAVAILABLE', cause: { message: 'the tape broke off inside a row' } }
    await expect(read(inPieces(text.slice(0, -3), []), 10)).rejects.toMatchObject(refusal)
    await expect(read(inPieces(text.slice(0, -3), []), 1)).rejects.toMatchObject(refusal)
  })

  test('fails when a server error replaces the last row', async () => {
    const broken = read(inPieces(`${rowOf(1, 'a')}Code: 241. DB::Exception: Memory limit\n`, []), 10)
    await expect(broken).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' })
  })

  test('rejects its end when the reader stops early', async () => {
    const page = splitPage(inPieces(rowOf(1, 'a') + rowOf(2, 'b'), [0.5]), { limit: 10, positionOf })
    for await (const _ of page.chunks) break
    await expect(page.end).rejects.toThrow('reader left')
  })
})
