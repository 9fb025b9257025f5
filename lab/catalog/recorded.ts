// The catalog entry of a market that comes from a recording.
import type { RecordedMarket } from '../recordedTapes.ts'
import type { CatalogEvent } from './catalogEvent.ts'

const DAY_MS = 86_400_000

/** One event with one market per recorded market; its grid takes every price in such recordings. */
export const recordedEvent = (market: RecordedMarket, ordinal: number, nowMs: number): CatalogEvent => ({
  key: market.key,
  ordinal,
  title: market.title,
  category: 'Crypto',
  tags: ['Recorded'],
  // A ticker begins with its series; a token id has none.
  series: [market.id.includes('-') ? market.id.split('-')[0]! : 'recorded', 'Recorded'],
  exclusive: false,
  rules: 'This market plays a recording.',
  createdMs: nowMs - DAY_MS,
  endMs: nowMs + DAY_MS,
  startMs: null,
  markets: [
    {
      key: market.key,
      label: market.id,
      opposite: 'No',
      question: market.title,
      code: market.id.split('-').at(-1)!,
      anchorMicros: 500_000,
      grid: 'milli',
      status: 'open',
      result: null,
      recordedId: market.id,
    },
  ],
})
