// A day of the tape as a user of the running program takes it: listed, downloaded in two parts, checked, replayed; each time equal to what
// was recorded.
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import type { ListedFile } from '#schemas/history'
import type { TestTape } from '#test/support/clickhouse'
import { ask, eventually, type Served, StreamClient } from '#test/support/cluster/client'
import { changesOf, expectedOf, inOrder, tapedOf } from '#test/support/tape/compare'
import { type DayOfTape, dayMs, type ExpectedFrame, kinds, type Row } from '#test/support/tape/dayOfTape'

/** The program looks for days without a file a minute after its start. */
const patience = { timeout: 180_000, interval: 1_000 }

/** `reader`: any engine, to read Parquet with. */
export async function expectFiles(served: Served, day: DayOfTape, reader: TestTape): Promise<void> {
  const venues = [...new Set(day.markets.map(({ venue }) => venue))].toSorted()
  const all = venues.flatMap((venue) => kinds.map((kind) => [venue, kind, tapedOf(day, kind, venue).length]))
  const listed = await vi.waitFor(async () => {
    const files = (await ask(served, `/v1/history/files?date=${day.date}`)).body.data as ListedFile[]
    expect(files.map(({ venue, kind, rows }) => [venue, kind, rows])).toEqual(all)
    return files
  }, patience)
  for (const { venue, kind, url, size, sha256 } of listed) {
    const half = Math.floor(size / 2)
    const parts = [await part(served, url, `0-${half - 1}`), await part(served, url, `${half}-`)]
    const bytes = Buffer.concat(parts)
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([size, sha256])
    const file = join(reader.dataDir, `${venue}-${kind}.parquet`)
    await writeFile(file, bytes)
    const rows = await reader.store.rows<Row>(`SELECT * FROM file('${file}', Parquet) FORMAT JSONEachRow`)
    expect(inOrder(kind, rows)).toEqual(inOrder(kind, tapedOf(day, kind, venue)))
  }
}

/** Repeated if the connection was closed meanwhile: reads may be repeated. */
const part = ({ url, apiKey }: Served, path: string, range: string): Promise<Buffer> =>
  eventually(async () => {
    const headers = { authorization: `Bearer ${apiKey}`, range: `bytes=${range}` }
    const response = await fetch(`${url}${path}`, { headers })
    expect(response.status).toBe(206)
    return Buffer.from(await response.arrayBuffer())
  })

/** The whole day as fast as possible, and its noon hour at a hundred times its pace. */
export async function expectReplays(served: Served, day: DayOfTape): Promise<void> {
  const all = await replayed(served, day, { since: day.since, until: day.since + dayMs - 1, speed: 'max' })
  expect(changesOf(all.delivered)).toEqual(changesOf(day.expected))
  const since = day.since + dayMs / 2
  const until = since + 3_600_000
  const { delivered, early } = await replayed(served, day, { since, until, speed: 100 })
  // It begins with the books at that time.
  const initialBooks = delivered.filter(({ at }) => at === since)
  const before = changesOf(day.expected.filter(({ at, kind }) => at <= since && kind === 'book'))
  for (const { venue, outcomeId, text } of initialBooks)
    expect(text).toBe(before.findLast((one) => one.venue === venue && one.outcomeId === outcomeId)!.text)
  const within = day.expected.filter(({ at }) => at > since && at <= until)
  expect(changesOf([...initialBooks, ...within]).length).toBeGreaterThan(day.expected.length / 40)
  expect(changesOf(delivered)).toEqual(changesOf([...initialBooks, ...within]))
  expect(early).toEqual([])
}

interface ReplayWindow {
  since: number
  until: number
  speed: number | 'max'
}

/** `early`: what was delivered before it was due. */
async function replayed(
  served: Served,
  day: DayOfTape,
  window: ReplayWindow,
): Promise<{ delivered: ExpectedFrame[]; early: ExpectedFrame[] }> {
  const markets = day.markets.map(({ venue, outcomeId: marketId }) => ({ venue, marketId }))
  const client = await StreamClient.open(served)
  const begun = performance.now()
  client.send({ op: 'subscribeReplay', markets, ...window })
  const [delivered, early]: ExpectedFrame[][] = [[], []]
  let seen = 0
  try {
    await eventually(() => {
      const frames = client.frames.slice(seen, client.mark())
      seen += frames.length
      const pace = window.speed === 'max' ? Number.POSITIVE_INFINITY : window.speed
      // Timers round to the millisecond.
      const due = window.since + (performance.now() - begun + 2) * pace
      for (const frame of frames) {
        expect(frame.type, JSON.stringify(frame)).not.toBe('error')
        const one = expectedOf(frame)
        if (one === null) continue
        delivered!.push(one)
        if (one.at > due) early!.push(one)
      }
      expect(frames.at(-1)?.type).toBe('replayEnd')
    }, 300_000)
  } finally {
    client.close()
  }
  return { delivered: delivered!, early: early! }
}
