// docs/marketData.md lists which source answers fetchOHLCV. Every row of that table is tested, and there are no other rows.
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { Fault } from '#core/fault'
import { createWorld, longId, type World } from '#test/src/server/http/world'

const candle = (close: number) => ({ timestamp: 300_000, open: 0.4, high: 0.5, low: 0.3, close, volume: 2 })
const ofVenue = candle(0.41)
const ofTape = candle(0.49)

let world: World
beforeEach(() => {
  world = createWorld()
})
const venue = () => world.venues.get('polymarket')!
let query: string

/** Each sets up the state that its name describes, whatever the state before. */
const venues: Record<string, () => void> = {
  'has candles in the range': () => {
    venue().candles = [ofVenue]
  },
  'has none in the range': () => {
    venue().candles = []
  },
  'fails, or takes longer than 3 s': () => {
    venue().failure = new Fault('NETWORK_ERROR', 'down')
  },
  'has no grain that divides the resolution': () => {
    venue().candles = [ofVenue]
    query = 'resolution=10s'
  },
  'would need more than 20,000 finer candles': () => {
    venue().candles = [ofVenue]
    query = 'resolution=59m&limit=400'
  },
  'has no candles, its trades are taped': () => {
    delete venue().reads.data.fetchCandles
    venue().reads.data.poll = { ...venue().reads.data.poll, tradesEveryMs: 1_000 }
  },
  'has no candles, its trades are not taped': () => {
    delete venue().reads.data.fetchCandles
  },
}
const tapes: Record<string, () => void> = {
  'has some': () => {
    world.tape.candles = [ofTape]
  },
  'has none': () => {
    world.tape.candles = []
  },
  'cannot be read': () => {
    world.tape.findCandles = () => Promise.reject(new Fault('HISTORY_UNAVAILABLE', 'down'))
  },
  'is not kept': () => {
    world = createWorld({ overrides: { tape: null } })
  },
  'not read': () => {
    world.tape.findCandles = () => expect.unreachable('the tape was read')
  },
}
const answers: Record<string, object> = {
  'the venue’s, `venue-rest`': { data: [ofVenue], provenance: { source: 'venue-rest' } },
  'the tape’s, `archive`': { data: [ofTape], provenance: { source: 'archive' } },
  'an empty list, `venue-rest`': { data: [], provenance: { source: 'venue-rest' } },
  'an empty list, `archive`': { data: [], provenance: { source: 'archive' } },
  'the venue’s failure': { error: { code: 'NETWORK_ERROR' } },
  'the tape’s failure, `HISTORY_UNAVAILABLE`': { error: { code: 'HISTORY_UNAVAILABLE' } },
  '`HISTORY_UNAVAILABLE`': { error: { code: 'HISTORY_UNAVAILABLE' } },
  '501 `NOT_SUPPORTED`, and `has.fetchOHLCV` is false': { error: { code: 'NOT_SUPPORTED' } },
}

const rows = readFileSync(new URL('../../../../docs/marketData.md', import.meta.url), 'utf8')
  .split('| venue | tape | answer |')[1]!
  .split('\n\n')[0]!
  .split('\n')
  .slice(2)
  .map((line) => line.replaceAll("'", '’').slice(2, -2).split(' | ') as [string, string, string])

describe('the source of candles, as documented', () => {
  it('the document lists exactly the states and answers of this test', () => {
    const documented = [0, 1, 2].map((column) => new Set(rows.map((row) => row[column as 0])))
    expect(documented.map((words) => [...words].toSorted())).toEqual(
      [venues, tapes, answers].map((known) => Object.keys(known).toSorted()),
    )
  })

  it.each(rows)('venue %s; tape %s: %s', async (venueWords, tapeWords, answerWords) => {
    query = 'resolution=1m'
    tapes[tapeWords]!()
    venues[venueWords]!()
    const { json } = await world.get(`/api/polymarket/fetchOHLCV?id=${longId}&${query}`)
    expect(json).toMatchObject(answers[answerWords]!)
    const { json: has } = await world.get('/api/polymarket/has')
    expect(has.data.fetchOHLCV).toBe(!answerWords.startsWith('501'))
  })
})
