// Which ingests are captured, and the metrics of the capture.
import { readdir } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { spawnIngest } from '#actors/ingest/ingestActor'
import { readConfig } from '#config'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createMetrics, type Metrics } from '#roles/metrics'
import { captureIngests } from '#roles/rawCapture'
import { replayFolder, temporaryFolder } from '#test/support/raw/capturedLab'
import { streamedLab } from '#test/support/streamedLab'
import { venueCases } from '#test/support/venueCases'

let folder: string
let remove: () => Promise<void>
let metrics: Metrics
beforeEach(async () => {
  metrics = createMetrics()
  ;({ folder, remove } = await temporaryFolder())
})
afterEach(async () => {
  await metrics.stop()
  await remove()
})

const capture = (variables: Record<string, string>) =>
  captureIngests(readConfig(variables).rawCapture, { metrics, clock: systemClock, log: silentLog })

it('captures nothing and adds no layer to an ingest unless a folder is configured', async () => {
  expect(capture({})).toBe(spawnIngest)
  expect((await metrics.text()).text).not.toContain('raw_capture')
})

it('captures the configured venues and counts the written bytes', async () => {
  const spawn = capture({ CROSSBOOK_RAW: folder, CROSSBOOK_RAW_VENUES: 'kalshi' })
  for (const one of [venueCases.kalshi, venueCases.gemini]) {
    const world = await streamedLab(one, 'capture of chosen venues', spawn)
    const bookIds = await world.bookIds(1)
    world.ingest.actor.send({ kind: 'pin', bookIds })
    await world.until(() => expect(world.newest(bookIds[0]!)?.state).toBe('live'), 60_000)
    await world.stop()
  }
  expect((await readdir(folder)).map((name) => name.split('.')[0])).toEqual(['kalshi'])
  const { text } = await metrics.text()
  expect(text).toMatch(/crossbook_raw_capture_bytes_total\{venue="kalshi"\} [1-9]/)
  expect(text).toMatch(/crossbook_raw_capture_lines_dropped_total\{venue="kalshi"\} 0/)
  expect((await replayFolder(folder)).books).toMatchObject({ equal: 1, different: 0 })
}, 120_000)

it.each([
  [{ CROSSBOOK_RAW_VENUES: 'kalsi' }, /CROSSBOOK_RAW_VENUES: accepts /],
  [{ CROSSBOOK_RAW_GB: '0' }, /CROSSBOOK_RAW_GB/],
  [{ CROSSBOOK_RAW_FILE_MB: 'x' }, /CROSSBOOK_RAW_FILE_MB/],
])('rejects %j', (variables, complaint) => {
  expect(() => readConfig({ CROSSBOOK_RAW: folder, ...variables })).toThrow(complaint)
})
