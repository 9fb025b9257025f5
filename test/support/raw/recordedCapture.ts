// Socket recordings made by others, as captures: what our own ingest would have written for one connection with these frames.
import { ManualClock } from '#core/clock'
import { version } from '#core/version'
import { nameOfRun } from '#rawCapture/captureFolder'
import { stateOf } from '#rawCapture/digests'
import { Journal } from '#rawCapture/journal'
import { captureVersion } from '#rawCapture/lines'
import type { BuiltVenue } from '#schemas/venues'
import { registry } from '#venues/registry'
import type { VenueManifest } from '#venues/venue'
import { captureStore } from './capturedLab.ts'

/** Best first; prices and sizes in the readers' units. */
export interface Levels {
  bids: { price: number; size: number }[]
  asks: { price: number; size: number }[]
}

export interface RecordedFrame {
  /** Epoch ms. */
  at: number
  text: string
  /** The expected book after it. */
  book?: { bookId: string } & Levels
}

/** Writes one run into the folder. */
export async function captureOf(
  folder: string,
  venue: BuiltVenue,
  bookIds: readonly string[],
  frames: readonly RecordedFrame[],
): Promise<void> {
  const clock = new ManualClock(frames[0]!.at)
  const manifest: VenueManifest = registry[venue]
  const journal = new Journal({
    store: captureStore(folder, clock),
    venue,
    run: nameOfRun(clock.now(), 0),
    header: () => ({
      version: captureVersion,
      program: version,
      settings: {
        epoch: 1,
        idleUnwatchMs: 30_000,
        bookSnapshotMs: 60_000,
        recordsTraders: false,
        tapesDepth: true,
        seed: 1,
        streamed: true,
        urls: Object.fromEntries(Object.keys(manifest.urls).map((name) => [name, [`$${name}`]])),
        credentials: [],
      },
      pinned: null,
      demands: [],
      sockets: [],
    }),
  })
  journal.event({ type: 'pin', bookIds })
  journal.note({ type: 'connect', socket: 1, url: '$WS' })
  journal.event({ type: 'open', socket: 1 })
  for (const { at, text, book } of frames) {
    clock.advance(Math.max(0, at - clock.now()))
    journal.event({ type: 'frame', socket: 1, text })
    if (book === undefined) continue
    const { bookId, bids, asks } = book
    const core = Buffer.from(JSON.stringify({ bids, asks }).slice(0, -1))
    const state = stateOf({ marketId: bookId, state: 'live', core } as Parameters<typeof stateOf>[0])
    journal.note({ type: 'book', events: journal.events, ...state })
  }
  await journal.close()
}
