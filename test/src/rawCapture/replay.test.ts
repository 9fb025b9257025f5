// What a replay detects: a changed frame, a lost part, a truncated file, a format of a newer program.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { HttpClient } from '#net/http'
import { spawnCapturedIngest } from '#rawCapture/captureIngest'
import { captureVersion } from '#rawCapture/lines'
import { findRuns } from '#rawCapture/readCapture'
import {
  captureLab,
  captureStore,
  editLines,
  linesIn,
  replayFolder,
  temporaryFolder,
} from '#test/support/raw/capturedLab'
import { streamedLab } from '#test/support/streamedLab'
import { venueCases } from '#test/support/venueCases'

const { kalshi, novig, polymarket } = venueCases

let folder: string
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ folder, remove } = await temporaryFolder())
})
afterEach(() => remove())

it('detects one changed size in one frame of hundreds, and names the first entry that disagrees', async () => {
  await captureLab(kalshi, folder)
  let market = ''
  await editLines(folder, (lines) => {
    const i = lines.findLastIndex((line) => line.type === 'frame' && 'text' in line && line.text.includes('delta_fp'))
    const line = lines[i]!
    if (line.type !== 'frame' || !('text' in line)) throw new Error('no change of a book was captured')
    const frame = JSON.parse(line.text)
    market = frame.msg.market_ticker
    frame.msg.delta_fp = String(Number(frame.msg.delta_fp) + 17)
    lines[i] = { ...line, text: JSON.stringify(frame) }
    return lines
  })
  const { first, books } = await replayFolder(folder)
  expect(books).toMatchObject({ equal: 3, different: 1 })
  expect(first).toMatchObject({ what: `book ${market}` })
  expect(first!.recorded).not.toBe(first!.replayed)
  expect((await linesIn(folder))[first!.place!.line - 1]).toMatchObject({ type: 'book', bookId: market })
}, 120_000)

it('detects a changed size in a response of a polled venue', async () => {
  await captureLab(novig, folder)
  await editLines(folder, (lines) => {
    const last = lines.findLastIndex((line) => line.type === 'response')
    const line = lines[last]!
    if (line.type !== 'response' || !('text' in line)) throw new Error('no book was read')
    const text = line.text.replace(/("qty":)(\d+)/, '$17$2')
    expect(text).not.toBe(line.text)
    lines[last] = { ...line, text }
    return lines
  })
  const { first, books, unanswered } = await replayFolder(folder)
  expect({ ...books, unanswered }).toMatchObject({ equal: 3, different: 1, unanswered: 0 })
  expect(first).not.toBeNull()
}, 120_000)

it('detects a missing trade', async () => {
  await captureLab(polymarket, folder)
  await editLines(folder, (lines) => {
    const i = lines.findIndex(
      (line) => line.type === 'frame' && 'text' in line && line.text.includes('"event_type":"last_trade_price"'),
    )
    const line = lines[i]!
    if (line.type !== 'frame') throw new Error('no trade was captured')
    lines[i] = { ...line, text: '[]' }
    return lines
  })
  expect((await replayFolder(folder)).trades.different).toBe(1)
}, 120_000)

it('fails a request that was not captured as if the venue were unavailable, and reports it', async () => {
  await captureLab(polymarket, folder)
  await editLines(folder, (lines) => lines.filter(({ type }) => type !== 'response'))
  const { unanswered, unansweredUrls } = await replayFolder(folder)
  expect(unanswered).toBeGreaterThan(0)
  expect(unansweredUrls.every((url) => /^(GET|POST) \$/.test(url))).toBe(true)
}, 120_000)

it('accepts a missing response to a request that was in flight when the capture ended', async () => {
  const { rain } = venueCases
  let held = 0
  let isHolding = false
  const world = await streamedLab(rain, 'raw in flight', (system, options) => {
    const { http } = options.context
    const holding: HttpClient = {
      request(call) {
        if (!isHolding) return http.request(call)
        held++
        return new Promise(() => undefined)
      },
    }
    const context = { ...options.context, http: holding }
    return spawnCapturedIngest(system, { ...options, context }, captureStore(folder, options.clock))
  })
  try {
    const [bookId] = await world.bookIds(1)
    world.ingest.actor.send({ kind: 'demand', gatewayId: 'reader', marketIds: [bookId!] })
    await world.until(() => expect(world.newest(bookId!)?.state).toBe('live'), 60_000)
    isHolding = true
    await world.until(() => expect(held).toBeGreaterThan(0), 60_000)
  } finally {
    await world.stop()
  }
  const stopped = (await linesIn(folder)).at(-1)
  expect(stopped).toMatchObject({ type: 'stopped', inFlight: expect.arrayContaining([expect.any(Number)]) })
  expect(await replayFolder(folder)).toMatchObject({ unanswered: 0, first: null })
}, 120_000)

it('replays the complete part of a file that was cut off by a kill', async () => {
  await captureLab(kalshi, folder)
  const [run] = await findRuns([folder])
  const { path } = run!.files[0]!
  const bytes = await readFile(path)
  await writeFile(path, bytes.subarray(0, bytes.length - 200))
  const report = await replayFolder(folder)
  expect(report).toMatchObject({ torn: true, first: null })
  expect(report.books.equal).toBe(4)
}, 120_000)

it('ends at an incomplete last line', async () => {
  await captureLab(kalshi, folder)
  const before = await replayFolder(folder)
  await editLines(folder, (lines) => lines.slice(0, -30))
  const [run] = await findRuns([folder])
  const { path } = run!.files[0]!
  const { gzipSync } = await import('node:zlib')
  await writeFile(path, Buffer.concat([await readFile(path), gzipSync('{"at":1,"mono":2,"type":"fra')]))
  const report = await replayFolder(folder)
  expect(report.lines).toBe(before.lines - 30)
  expect(report.first).toBeNull()
}, 120_000)

it('replays from the first file that is left, and compares a book once it is complete', async () => {
  await captureLab(polymarket, folder, { limits: { fileMs: 5_000 } })
  const [run] = await findRuns([folder])
  expect(run!.files.length).toBeGreaterThan(2)
  expect(await replayFolder(folder)).toMatchObject({ first: null, partial: 0, books: { equal: 4, different: 0 } })
  await rm(run!.files[0]!.path)
  const report = await replayFolder(folder)
  expect(report).toMatchObject({ partial: 1, first: null })
  expect(report.books.different).toBe(0)
  expect(report.trades).toMatchObject({ equal: 0, different: 0 })
}, 120_000)

it('starts again where files are missing in between', async () => {
  await captureLab(kalshi, folder, { limits: { fileMs: 5_000 } })
  const [run] = await findRuns([folder])
  await rm(run!.files[1]!.path)
  expect(await replayFolder(folder)).toMatchObject({ partial: 1, first: null, books: { different: 0 } })
}, 120_000)

it('refuses a file of a newer program by its format', async () => {
  await captureLab(kalshi, folder)
  await editLines(folder, ([header, ...rest]) => [{ ...header!, version: captureVersion + 1 } as never, ...rest])
  await expect(replayFolder(folder)).rejects.toThrow(
    new RegExp(
      `newer program \\(.+\\): its format is ${captureVersion + 1}, this program reads up to ${captureVersion}`,
    ),
  )
}, 120_000)

it('refuses a folder without captures, and a file of another kind', async () => {
  await expect(findRuns([folder])).rejects.toThrow(/no capture in/)
  await writeFile(`${folder}/frames.json`, '{}')
  await expect(findRuns([`${folder}/frames.json`])).rejects.toThrow(/not named like a capture/)
  await expect(findRuns([`${folder}/absent`])).rejects.toThrow(/cannot be read/)
})
