// A venue's lab, its ingest, and the capture of the traffic between them.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import type { Clock } from '#core/clock'
import { silentLog } from '#core/log'
import { spawnCapturedIngest } from '#rawCapture/captureIngest'
import type { CaptureLimits, CaptureStore } from '#rawCapture/journal'
import type { StampedLine } from '#rawCapture/lines'
import { findRuns } from '#rawCapture/readCapture'
import { replayRun } from '#rawCapture/replay/replayRun'
import type { ReplayReport } from '#rawCapture/replay/report'
import { type StreamedLab, streamedLab } from '#test/support/streamedLab'
import type { VenueCase } from '../cases/venueCase.ts'

export const roomy: CaptureLimits = { fileBytes: 1e9, fileMs: 3_600_000, totalBytes: 1e10, queueChars: 1e8 }

export const captureStore = (folder: string, clock: Clock, limits: Partial<CaptureLimits> = {}): CaptureStore => ({
  folder,
  limits: { ...roomy, ...limits },
  queued: 0,
  inUse: new Set(),
  clock,
  log: silentLog,
})

export async function temporaryFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'crossbook-raw-'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

export interface CapturedLab {
  bookIds: readonly string[]
  /** The venue's own books at the end. */
  truth: ReadonlyMap<string, ReturnType<StreamedLab['truth']>>
}

/** Some seconds of the venue's clock with changing books. `play`: more, while the ingest runs. */
export async function captureLab(
  one: VenueCase,
  folder: string,
  {
    play,
    limits = {},
  }: { play?(world: StreamedLab, bookIds: readonly string[]): Promise<void>; limits?: Partial<CaptureLimits> } = {},
): Promise<CapturedLab> {
  const world = await streamedLab(one, `raw ${one.manifest.slug}`, (system, options) =>
    spawnCapturedIngest(system, options, captureStore(folder, options.clock, limits)),
  )
  try {
    const bookIds = await world.bookIds(4)
    world.ingest.actor.send({ kind: 'demand', gatewayId: 'reader', marketIds: bookIds })
    const areLive = () => expect(bookIds.map((id) => world.newest(id)?.state)).toEqual(bookIds.map(() => 'live'))
    await world.until(areLive, 60_000)
    for (const bookId of bookIds) world.flow(bookId, 10_000)
    await world.until(after(world, 20_000), 60_000)
    await play?.(world, bookIds)
    await world.until(areLive, 60_000)
    return { bookIds, truth: new Map(bookIds.map((id) => [id, world.truth(id)])) }
  } finally {
    await world.stop()
  }
}

/** Holds after this much time of the venue's clock. */
export function after({ clock }: StreamedLab, ms: number): () => void {
  const end = clock.monotonic() + ms
  return () => expect(clock.monotonic()).toBeGreaterThanOrEqual(end)
}

/** The only run. */
export async function replayFolder(folder: string): Promise<ReplayReport> {
  const runs = await findRuns([folder])
  expect(runs).toHaveLength(1)
  return replayRun(runs[0]!)
}

/** Of all files, in order. */
export async function linesIn(folder: string): Promise<StampedLine[]> {
  const [run] = await findRuns([folder])
  const texts = await Promise.all(run!.files.map(async ({ path }) => gunzipSync(await readFile(path)).toString()))
  return texts
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as StampedLine)
}

/** Rewrites the only file. */
export async function editLines(folder: string, edit: (lines: StampedLine[]) => StampedLine[]): Promise<void> {
  const [run] = await findRuns([folder])
  expect(run!.files).toHaveLength(1)
  const lines = edit(await linesIn(folder))
  await writeFile(run!.files[0]!.path, gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
}
