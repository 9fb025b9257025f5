// The writer of captures: consecutive files, a total size, and a disk that is full or slow.
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import { captureFileAt, keepWithin, nameOfRun } from '#rawCapture/captureFolder'
import { type CaptureLimits, type CaptureStore, Journal } from '#rawCapture/journal'
import { captureVersion, type EventLine, type StampedLine } from '#rawCapture/lines'
import { captureStore, temporaryFolder } from '#test/support/raw/capturedLab'

let folder: string
let remove: () => Promise<void>
let clock: ManualClock
beforeEach(async () => {
  clock = new ManualClock()
  ;({ folder, remove } = await temporaryFolder())
})
afterEach(() => remove())

const header = () => ({
  version: captureVersion,
  program: '0',
  settings: {} as never,
  pinned: null,
  demands: [],
  sockets: [],
})
function journalIn(path: string, limits: Partial<CaptureLimits> = {}): { journal: Journal; store: CaptureStore } {
  const store = captureStore(path, clock, limits)
  return { journal: new Journal({ store, venue: 'kalshi', run: nameOfRun(clock.now(), 0.5), header }), store }
}
const frame = (text: string): EventLine => ({ type: 'frame', socket: 1, text })
/** Incompressible text. */
const noise = (bytes: number, seed: number): string => {
  let state = seed
  return Array.from({ length: bytes }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return String.fromCharCode(33 + ((state >>> 16) % 90))
  }).join('')
}

async function linesOf(name: string): Promise<StampedLine[]> {
  const text = gunzipSync(await readFile(join(folder, name))).toString()
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as StampedLine)
}

it('starts a file with a header, and the next one at a size or an age, each counting the events before it', async () => {
  const { journal } = journalIn(folder, { fileBytes: 100_000, fileMs: 60_000 })
  journal.event(frame(noise(300_000, 1)))
  await vi.waitFor(() => expect(journal.bytes).toBeGreaterThan(100_000))
  journal.event(frame('b'))
  clock.advance(1_000)
  clock.advance(60_000)
  journal.event(frame('c'))
  await journal.close()
  const names = await readdir(folder)
  expect(names.map((name) => captureFileAt(name)?.file)).toEqual([1, 2, 3])
  const files = await Promise.all(names.map(linesOf))
  expect(files.map(([first]) => first)).toMatchObject([
    { type: 'capture', version: captureVersion, venue: 'kalshi', file: 1, events: 0 },
    { type: 'capture', file: 2, events: 1 },
    { type: 'capture', file: 3, events: 2 },
  ])
  expect(files[2]!.at(-1)).toMatchObject({ type: 'frame', text: 'c', at: clock.now(), mono: 61_000 })
  expect((await stat(join(folder, names[0]!))).mode & 0o777).toBe(0o600)
  expect(clock.pendingCount).toBe(0)
})

it('writes its buffer after a second: a killed process loses no more', async () => {
  const { journal } = journalIn(folder)
  journal.event(frame('a'))
  clock.advance(1_000)
  await vi.waitFor(async () => {
    const [name] = await readdir(folder)
    expect((await linesOf(name!)).map(({ type }) => type)).toEqual(['capture', 'frame'])
  })
  await journal.close()
})

it('keeps all files within a total by deleting the oldest, and no file of another name or in use', async () => {
  const run = nameOfRun(clock.now(), 0.5)
  const files = [1, 2, 3, 4].map((n) => join(folder, `kalshi.${run}.000${n}.jsonl.gz`))
  for (const [i, path] of files.entries()) {
    await writeFile(path, Buffer.alloc(1_000))
    await utimes(path, 1_000 + i, 1_000 + i)
  }
  await writeFile(join(folder, 'notes.txt'), Buffer.alloc(5_000))
  expect(await keepWithin(folder, 2_500, new Set([files[0]!]))).toBe(2)
  expect(await readdir(folder)).toEqual(
    [files[0], files[3]].map((path) => path!.slice(folder.length + 1)).concat('notes.txt'),
  )
})

it('makes space for a file when it begins', async () => {
  const { journal, store } = journalIn(folder, { fileBytes: 50_000, totalBytes: 200_000, fileMs: 1e9 })
  for (let i = 1; i <= 6; i++) {
    journal.event(frame(noise(300_000, i)))
    await vi.waitFor(() => expect(store.queued).toBe(0))
  }
  await journal.close()
  const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size))
  expect(journal.bytes).toBeGreaterThan(1_000_000)
  expect(sizes.length).toBeLessThan(3)
})

it('drops events when the queue is full, counts them, and records that where it continues', async () => {
  const { journal, store } = journalIn(folder, { queueChars: 20_000 })
  const before = store.queued
  for (let i = 0; i < 10; i++) journal.event(frame('x'.repeat(5_000)))
  expect(store.queued).toBeLessThanOrEqual(20_000)
  expect(journal.dropped).toBe(7)
  clock.advance(1_000)
  await vi.waitFor(() => expect(store.queued).toBe(0))
  journal.event(frame('after'))
  await journal.close()
  expect(before).toBeGreaterThan(0)
  const [name] = await readdir(folder)
  const lines = await linesOf(name!)
  expect(lines.map(({ type }) => type)).toEqual(['capture', 'frame', 'frame', 'frame', 'capture', 'dropped', 'frame'])
  // A reader starts again at the second header: ten events came before.
  expect(lines[4]).toMatchObject({ events: 10, file: 1 })
  expect(lines[5]).toMatchObject({ lines: 7, events: 7 })
})

it('survives an unwritable folder, and continues in a new file once it can', async () => {
  const path = join(folder, 'captures')
  await writeFile(path, 'a file where the folder should be')
  const { journal, store } = journalIn(path)
  journal.event(frame('lost'))
  clock.advance(1_000)
  // With the header of its file.
  await vi.waitFor(() => expect([journal.dropped, store.queued]).toEqual([2, 0]))
  await rm(path)
  await mkdir(path)
  journal.event(frame('kept'))
  await vi.waitFor(async () => {
    clock.advance(1_000)
    expect(await readdir(path)).toHaveLength(1)
  })
  await journal.close()
  const [name] = await readdir(path)
  folder = path
  const lines = await linesOf(name!)
  expect(lines.map(({ type }) => type)).toEqual(['capture', 'dropped', 'frame'])
  expect(lines[0]).toMatchObject({ events: 1 })
  expect(lines[2]).toMatchObject({ text: 'kept' })
})
