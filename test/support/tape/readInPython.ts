// A day of tape as the Python client reads it, compared row by row with what was recorded: as rows, as a frame, as a file, and as a full
// download.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Python } from '#test/support/python/venv'
import { inOrder, tapedOf } from './compare.ts'
import { type DayOfTape, dayMs, kinds, type Row } from './dayOfTape.ts'

const script = fileURLToPath(new URL('./readDay.py', import.meta.url))

/** `python` has the client, and polars. */
export async function readInPython(python: Python, day: DayOfTape, env: Record<string, string>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'crossbook-read-'))
  const rowsIn = async (name: string): Promise<Row[]> =>
    (await readFile(join(folder, `${name}.jsonl`), 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row)
  try {
    const { since, date, markets, gap } = day
    const input = JSON.stringify({ folder, since, until: since + dayMs - 1, date, markets })
    const gaps = JSON.parse(await python.run([script, input], { env, timeoutMs: 500_000 })) as Record<string, unknown[]>
    const [first] = markets as [(typeof markets)[0]]
    expect(gaps[first.outcomeId]).toContainEqual(['gap', gap.from, gap.to, gap.reason])
    for (const kind of kinds) {
      for (const { venue, outcomeId } of markets) {
        const taped = inOrder(kind, tapedOf(day, kind, venue, outcomeId))
        expect(taped.length).toBeGreaterThan(10)
        for (const way of ['rows', 'frame', 'file']) {
          const read = await rowsIn(`${outcomeId}-${kind}-${way}`)
          expect(
            inOrder(
              kind,
              read.map((row) => ({ ...row, outcomeId })),
            ),
            `${way} of ${kind}`,
          ).toEqual(taped)
        }
      }
      for (const venue of new Set(markets.map((market) => market.venue)))
        expect(inOrder(kind, await rowsIn(`${venue}-${kind}-day`)), `day of ${kind}`).toEqual(
          inOrder(kind, tapedOf(day, kind, venue)),
        )
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
