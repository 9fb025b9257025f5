import { expect, test } from 'vitest'
import { byReceivedAt } from '#history/paced/receiveOrder'
import { createPrng } from '#lab/prng'

interface Line {
  ts: number
  recvTs: number
  n: number
}

async function* inPages(lines: readonly Line[], rows: number): AsyncGenerator<readonly Line[]> {
  for (let at = 0; at < lines.length; at += rows) yield lines.slice(at, at + rows)
}

async function read(lines: readonly Line[], heldMax: number): Promise<{ n: number; at: number; recvTs: number }[]> {
  const all = []
  const pages = byReceivedAt(inPages(lines, 7), { sinceMs: 100, untilMs: 900 }, heldMax, (line, at) => ({
    ...line,
    at,
  }))
  for await (const page of pages) all.push(...page)
  return all
}

test('reorders lines from event time to receive time, and sends none before it was received', async () => {
  for (let seed = 0; seed < 50; seed++) {
    const random = createPrng(`receipt ${seed}`)
    const lines = Array.from({ length: 200 }, (_, n) => {
      const ts = random.int(1_000)
      return { n, ts, recvTs: ts + (random.chance(0.1) ? random.int(400) : random.int(5)) }
    }).sort((a, b) => a.ts - b.ts)
    const inWindow = lines.filter(({ recvTs }) => recvTs >= 100 && recvTs <= 900)
    const emitted = await read(lines, 1_000)
    expect(emitted.map(({ at }) => at)).toEqual(inWindow.map(({ recvTs }) => recvTs).sort((a, b) => a - b))
    expect(emitted.every(({ at, recvTs }) => at === recvTs)).toBe(true)
    // With a small buffer some lines come later than they were received, but none earlier, none twice, and none is missing.
    const few = await read(lines, 3)
    expect(few.map(({ n }) => n).sort((a, b) => a - b)).toEqual(inWindow.map(({ n }) => n).sort((a, b) => a - b))
    expect(few.every(({ at, recvTs }, i) => at >= recvTs && at >= (few[i - 1]?.at ?? 0))).toBe(true)
  }
})
