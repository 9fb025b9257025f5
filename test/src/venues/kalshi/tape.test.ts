// Recorded sockets: the BTC 15-minute tape and two verbatim captures, which are not part of the project (their tests are skipped without
// them), and frames that are.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { sharedFixture } from '../../../support/fixtures.ts'
import { kalshiWorld } from '../../../support/kalshiFeed.ts'
import { readRecording, recordingsIn } from '../../../support/kalshiTape.ts'
import { playRecording, troubleIn } from '../../../support/verifyKalshiTape.ts'

const tape = sharedFixture('kalshi/ws_tape_btc15m')
const cockpit = sharedFixture('kalshi/kalshi-cockpit/ws_orderbook_stream.json.gz')
const demo = sharedFixture('kalshi-demo/session.jsonl.gz')
/** All files in a long run, else two that rotate daily. */
const played = process.env.CROSSBOOK_TEST_LONG === '1' ? Number.POSITIVE_INFINITY : 2
const absent = 'needs ../shared/fixtures/kalshi next to this checkout'

function recordingsOfToday(): string[] {
  if (tape === null) return []
  const all = recordingsIn(tape)
  const first = (Math.floor(Date.now() / 86_400_000) * played) % all.length
  return Number.isFinite(played) ? [...all, ...all].slice(first, first + played) : all
}

describe.skipIf(tape === null)(`BTC tape (${tape === null ? absent : 'recordings, both parsers'})`, () => {
  for (const path of recordingsOfToday()) {
    test(`${path.split('/').at(-1)}: every comparable checkpoint matches, with the scanner and with the JSON parser`, {
      timeout: 120_000,
    }, () => {
      const recording = readRecording(path)
      const scanned = playRecording(recording, 'wire')
      expect(troubleIn(scanned, playRecording(recording, 'recorded'))).toEqual([])
      expect(scanned.comparable).toBeGreaterThan(200)
      expect(scanned.equal).toBe(scanned.comparable)
      expect(scanned.counts.gaps).toBe(0)
    })
  }
})

const lines = (path: string): string[] => {
  const raw = readFileSync(path)
  return (path.endsWith('.gz') ? gunzipSync(raw) : raw)
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
}

/** Plays frames as received. Neither capture requested YES prices; one run is configured so, the other has to detect it. */
function play(texts: readonly string[], yesPrice: boolean) {
  const tickers = [...new Set(texts.flatMap((text) => JSON.parse(text).msg?.market_ticker ?? []))] as string[]
  const world = kalshiWorld(tickers, { yesPrice })
  world.receive(...texts.map((text) => Buffer.from(text)))
  return { tickers, world }
}

describe.skipIf(cockpit === null || demo === null)(
  `captures (${cockpit === null ? absent : 'verbatim frames'})`,
  () => {
    const captures: [string, () => string[], number][] = [
      [
        'kalshi-cockpit',
        () =>
          (JSON.parse(lines(cockpit!).join('\n')).frames as { frame: unknown }[]).map(({ frame }) =>
            JSON.stringify(frame),
          ),
        12,
      ],
      ['kalshi-demo', () => lines(demo!), 5],
    ]
    test.each(captures)(
      '%s: no level below zero, no crossed book, no gap, every market live',
      (_name, read, markets) => {
        const { tickers, world } = play(read(), false)
        expect(tickers).toHaveLength(markets)
        expect(world.broken).toEqual({})
        for (const book of world.books.values()) expect(book.state).toBe('live')
        expect(world.session.counts.gaps).toBe(0)
        // Two fills of the recorder’s own account, on a channel we do not subscribe to.
        expect(world.events.filter(({ kind }) => kind === 'malformed').map(({ reason }) => reason)).toEqual(
          _name === 'kalshi-demo' ? ['unknown type', 'unknown type'] : [],
        )
        expect(world.session.counts.scanned).toBeGreaterThan(200)
      },
    )

    test.each(captures)(
      '%s: a session that assumes YES prices detects the mistake and keeps no book on the wrong scale',
      (_name, read) => {
        const configured = play(read(), false)
        const found = play(read(), true)
        let equal = 0
        for (const ticker of configured.tickers) {
          if (found.world.books.get(ticker)?.state === 'live') {
            expect(found.world.view(ticker)).toBe(configured.world.view(ticker))
            equal++
            continue
          }
          // Read before there was evidence: marked broken and requested again.
          expect(found.world.events).toContainEqual({ kind: 'broken', id: ticker, reason: 'scale' })
          expect(found.world.session.resync(ticker)).not.toBeNull()
        }
        expect(equal).toBeGreaterThan(configured.tickers.length / 2)
      },
    )
  },
)

test('parses public trade and ticker frames of February 2026', () => {
  const own = (name: string) => fileURLToPath(new URL(`fixtures/${name}.jsonl`, import.meta.url))
  const texts = ['kalshi_trade', 'kalshi_ticker'].flatMap((name) => lines(own(name)))
  const { world } = play(texts, true)
  expect(world.events.filter(({ kind }) => kind === 'trade')).toHaveLength(10)
  expect(world.events.filter(({ kind }) => kind === 'malformed')).toEqual([])
  expect(world.events.find(({ kind }) => kind === 'trade')?.value).toMatchObject({
    marketId: 'KXSOLD-26FEB1217-T79.9999',
    data: {
      id: 'f851595a-6d92-424e-09f8-0d2669de70ae',
      type: 'Buy',
      price: 0.77,
      shares: 75,
      timestamp: 1_770_897_981_000,
    },
  })
})
