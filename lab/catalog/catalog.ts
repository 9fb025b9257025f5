// The listing of a lab venue: seeded events and markets, venue-neutral. Each venue maps them to its own names and
// shapes.
import type { GridName } from '../engine/grid.ts'
import type { LabStatus } from '../engine/market.ts'
import { createPrng } from '../prng.ts'
import type { RecordedMarket } from '../recordedTapes.ts'
import type { CatalogEvent } from './catalogEvent.ts'
import { type EventSeed, sharedEvents } from './questions.ts'
import { recordedEvent } from './recorded.ts'
import { templateEvent } from './templates.ts'

const DAY_MS = 86_400_000
const EVENING_MS = 23 * 3_600_000 + 5 * 60_000
const EVENTS_DEFAULT = 40
const MARKETS_DEFAULT = 120

/** Maximum difference between any two venues' prices of one question. */
const VENUE_SKEW = 0.02

export interface CatalogOptions {
  seed: string
  nowMs: number
  /** Minimum number of markets; 120 by default, up to 100,000. */
  markets?: number
  /** Logically related questions, listed after the earlier ones and priced separately. */
  related?: readonly EventSeed[]
  /** Markets that come from recordings, after all others. */
  recorded?: readonly RecordedMarket[]
  /** Grid of markets with ticks finer than cents; `tapered` by default. */
  fineGrid?: GridName
  /** A two-team game is one market whose sides are its teams, not one market per team. */
  namedSides?: boolean
}

/** The venue's events, shared questions first, at its own prices. The same seed and day give the same catalog. */
export function buildCatalog(venue: string, options: CatalogOptions): CatalogEvent[] {
  const random = createPrng(`${options.seed}/catalog/${venue}`)
  const marketsMin = options.markets ?? MARKETS_DEFAULT
  const eventsMin = options.markets === undefined ? EVENTS_DEFAULT : 0
  const events: CatalogEvent[] = []
  let count = 0
  const push = (seed: EventSeed) => {
    const event = place(seed, venue, options, events.length)
    events.push(event)
    count += event.markets.length
  }
  for (const seed of sharedEvents) push(seed)
  for (let n = 0; count < marketsMin || events.length < eventsMin; n++) push(templateEvent(n, random))
  for (const seed of options.related ?? []) push(seed)
  for (const market of options.recorded ?? []) {
    if (market.venue === venue) events.push(recordedEvent(market, events.length, options.nowMs))
  }
  return events
}

function place(seed: EventSeed, venue: string, options: CatalogOptions, ordinal: number): CatalogEvent {
  const today = Math.floor(options.nowMs / DAY_MS) * DAY_MS
  const { status, past } = life(seed, ordinal)
  const endMs = today + (past ? -2 - (ordinal % 5) : seed.endDays) * DAY_MS
  const fill = (text: string) => text.replaceAll('{date}', longDate(endMs)).replaceAll('{month}', monthOf(endMs))
  const skew = createPrng(`${options.seed}/skew/${venue}/${seed.key}`)
  const sides = seed.headToHead === true && options.namedSides === true
  const outcomes = sides ? seed.outcomes.slice(0, 1) : seed.outcomes
  const winner = status === 'resolved' ? skew.int(seed.outcomes.length) : -1
  return {
    key: seed.key,
    ordinal,
    title: fill(seed.title),
    category: seed.category,
    tags: seed.tags,
    series: seed.series,
    exclusive: seed.exclusive && outcomes.length > 1,
    rules: `This market ${fill(seed.rules)}`,
    createdMs: today - (60 + (ordinal % 30)) * DAY_MS,
    endMs,
    startMs: seed.headToHead === true ? endMs + EVENING_MS : null,
    markets: outcomes.map((outcome, i) => {
      const probability = Math.min(0.97, Math.max(0.02, outcome.probability + (skew.next() - 0.5) * 2 * VENUE_SKEW))
      return {
        key: `${seed.key}/${outcome.code}`,
        label: outcome.label,
        opposite: sides ? seed.outcomes[1]!.label : 'No',
        question: fill(sides ? seed.title : outcome.question),
        code: outcome.code,
        anchorMicros: Math.round(probability * 1_000_000),
        grid: seed.fine === true ? (options.fineGrid ?? 'tapered') : 'cent',
        status,
        result: status === 'resolved' ? (i === winner ? 'yes' : 'no') : null,
      }
    }),
  }
}

/** Some made-up events have already ended: every ninth closed, every seventh resolved. The shared ones stay open. */
function life(seed: EventSeed, ordinal: number): { status: LabStatus; past: boolean } {
  if (seed.shared === true) return { status: 'open', past: false }
  if (ordinal % 7 === 3) return { status: 'resolved', past: true }
  return ordinal % 9 === 4 ? { status: 'closed', past: true } : { status: 'open', past: false }
}

const dateFormat = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

const longDates = new Map<number, string>()

/** `November 21, 2026`. Cached: events share few dates, and formatting one is slow. */
function longDate(ms: number): string {
  const known = longDates.get(ms) ?? dateFormat.format(ms)
  longDates.set(ms, known)
  return known
}

const monthOf = (ms: number): string => longDate(ms).split(' ')[0]!
