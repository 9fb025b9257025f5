// Recorded rows of the venues' catalogs, as a venue may write them in future: without one or two keys, with numbers as text, with null for
// lists. No market that still has its id, title and outcomes is lost.
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createPrng } from '#lab/prng'
import type { HttpClient } from '#net/http'
import { Event } from '#schemas/market'
import { type RecordedVenue, type Row, recordedVenues, recordingsOf } from '#test/support/catalogRecordings'
import { absent, asText, changed, fieldsIn, isChanged, isEssential, type Path } from '#test/support/rowFields'
import { registry } from '#venues/registry'
import type { VenueManifest } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

const isLong = process.env.CROSSBOOK_TEST_LONG === '1'
/** Of each recording, and pairs of keys of each row. */
const rowsMax = isLong ? 20 : 1
const pairs = isLong ? 400 : 20
const clock = new ManualClock(Date.UTC(2026, 10, 29))

async function marketsOf(venue: RecordedVenue, row: Row): Promise<Set<string>> {
  const manifest: VenueManifest = registry[venue.slug as keyof typeof registry]
  const http: HttpClient = {
    async request(request) {
      const body = venue.answer(row, request)
      return body === undefined
        ? { status: 404, headers: {}, body: 'Cannot GET /' }
        : { status: 200, headers: {}, body }
    },
  }
  const context: VenueContext = {
    venue: manifest.slug,
    http,
    clock,
    log: silentLog,
    urls: manifest.urls,
    credentials: venue.credentials ?? null,
    signal: new AbortController().signal,
  }
  const markets = new Set<string>()
  for await (const page of manifest.data.walkCatalog(context, { updatedSinceMs: null }))
    for (const event of page.events) for (const { marketId } of Event.parse(event).markets) markets.add(marketId)
  return markets
}

/** Rows spread over the recording. */
const chosen = (rows: readonly Row[]): Row[] =>
  rows.filter((_, n) => n % Math.ceil(rows.length / rowsMax) === 0).slice(0, rowsMax)

const nullForList = (value: unknown): unknown => (Array.isArray(value) ? null : value)

interface Change {
  description: string
  apply(row: Row): unknown
}

function changesOf(slug: string, row: Row, seed: string): Change[] {
  const all = fieldsIn(row, true)
  const paths = all.filter((path) => !isEssential(slug, path))
  const at = (path: Path, description: string, to: unknown): Change => ({
    description: `${path.join('.')} ${description}`,
    apply: (body) => changed(body, path, to),
  })
  const ones = paths.map((path) => at(path, 'absent', absent))
  const lists = paths
    .filter((path) => isChanged(row, path, nullForList))
    .map((path) => at(path, 'null for a list', nullForList))
  // Ids as well: the row still has them.
  const texts = all.filter((path) => isChanged(row, path, asText)).map((path) => at(path, 'as text', asText))
  const random = createPrng(`recorded rows ${seed}`)
  const twos = Array.from({ length: paths.length < 2 ? 0 : pairs }, () => {
    const [one, two] = [paths[random.int(paths.length)]!, paths[random.int(paths.length)]!]
    return {
      description: `${one.join('.')} and ${two.join('.')} absent`,
      apply: (body: unknown) => changed(changed(body, one, absent), two, absent),
    }
  })
  return [...ones, ...lists, ...texts, ...twos]
}

describe.each(recordedVenues.map((venue) => [venue.slug, venue] as const))('%s', (slug, venue) => {
  const { recordings, hasShared } = recordingsOf(venue)

  it.skipIf(recordings.length === 0)(
    `${recordings.length} recordings: no market is lost when one or two keys are missing or have another form${hasShared ? '' : ' (those next to the project are absent)'}`,
    async () => {
      const lost = new Set<string>()
      let read = 0
      for (const { file, rows } of recordings) {
        for (const [n, row] of chosen(rows).entries()) {
          const usual = await marketsOf(venue, row)
          if (usual.size === 0) continue
          read++
          for (const { description, apply } of changesOf(slug, row, `${file} ${n}`)) {
            const found = await marketsOf(venue, apply(row) as Row).catch((error: unknown) => String(error))
            if (typeof found === 'string') lost.add(`${description}: ${found.slice(0, 100)}`)
            else if ([...usual].some((id) => !found.has(id))) lost.add(`${description} (${file})`)
          }
        }
      }
      expect([...lost]).toEqual([])
      expect(read).toBeGreaterThan(0)
    },
    300_000,
  )
})
