// The measured goals: they fail when precision or recall drops. The labelled sets are kept outside the project; without
// them these tests are skipped.
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { CandidateIndex } from '#matching/block/candidates'
import { compareMarkets, compareQuestions } from '#matching/compare/compare'
import type { MatchInput } from '#matching/read/input'
import { readQuestion } from '#matching/read/parsedMarket'
import { type Evaluation, evaluate } from '#test/support/evalMatching'
import { sharedFixture } from '#test/support/fixtures'
import { csvRows, half, type LabelledPair, readPairs } from '#test/support/labelledPairs'

const path = (name: string): string | null => sharedFixture(`cross_venue/${name}`)
const corpusPath = path('matching/labeled_corpus.jsonl.gz')
const seedPath = path('matching/xplat_equivalence_seed.jsonl.gz')
const text = (file: string): string =>
  file.endsWith('.gz') ? gunzipSync(readFileSync(file)).toString('utf8') : readFileSync(file, 'utf8')

describe.skipIf(corpusPath === null)('on the labelled corpus (skipped where ../shared/fixtures is absent)', () => {
  const pairs = corpusPath === null ? [] : readPairs(corpusPath)
  // What holds for both halves holds for all.
  const parts: [string, LabelledPair[]][] = [
    ['the development half', pairs.filter((pair) => half(pair) === 'development')],
    ['the held-out half', pairs.filter((pair) => half(pair) === 'heldOut')],
  ]

  test.each(parts)(
    '%s: verified has no false match and 85 % recall, with minor 95 % precision, and polarity is right',
    (_, part) => {
      const found: Evaluation = evaluate(part)
      const shown = JSON.stringify(found.mistakes, null, 1)
      expect(found.matches).toBeGreaterThan(100)
      expect(found.bands.verified.precision, shown).toBe(1)
      expect(found.bands.verified.recall, shown).toBeGreaterThanOrEqual(0.85)
      expect(found.cumulative.minor?.precision, shown).toBeGreaterThanOrEqual(0.95)
      expect(found.polarity.accuracy, shown).toBeGreaterThanOrEqual(0.99)
    },
  )

  test('finds 95 % of the true pairs among 50 candidates with every market of every set in one index', () => {
    const markets = new Map<string, MatchInput>()
    const add = (market: MatchInput): void => {
      markets.set(`${market.venue}\n${market.marketId}`, market)
    }
    for (const pair of pairs) {
      add(pair.a)
      add(pair.b)
    }
    const watchlist = path('matching/candidate_watchlist.json.gz')
    const more =
      watchlist === null
        ? []
        : (JSON.parse(text(watchlist)) as { pairs: { ktk: string; kt: string; pid: string; pt: string }[] }).pairs
    for (const { ktk, kt, pid, pt } of more) {
      if (!markets.has(`kalshi\n${ktk}`)) add({ venue: 'kalshi', marketId: ktk, title: kt })
      if (!markets.has(`polymarket\n${pid}`)) add({ venue: 'polymarket', marketId: pid, title: pt })
    }
    const list = [...markets.values()]
    const places = new Map(list.map((market, at) => [market, at]))
    const index = new CandidateIndex(list, { k: 50 })
    const at = (market: MatchInput): number =>
      places.get(markets.get(`${market.venue}\n${market.marketId}`) as MatchInput) as number
    const real = pairs.filter((pair) => pair.match)
    const kept = real.filter((pair) => index.find(at(pair.a)).some((found) => found.index === at(pair.b)))
    expect(kept.length / real.length).toBeGreaterThanOrEqual(0.95)
  })
})

describe.skipIf(seedPath === null)(
  'on the 150 Polymarket/Predict.fun events (skipped where ../shared/fixtures is absent)',
  () => {
    test('verifies or rates as minor at least 80 %, with the right polarity', () => {
      const found = evaluate(seedPath === null ? [] : readPairs(seedPath))
      expect(found.groups?.count).toBe(150)
      expect(found.groups?.recall).toBeGreaterThanOrEqual(0.8)
      expect(found.cumulative.minor?.recall).toBeGreaterThanOrEqual(0.8)
      expect(found.polarity.accuracy).toBe(1)
      expect(found.candidates.recall).toBeGreaterThanOrEqual(0.95)
    })
  },
)

const weather = path('weather')
describe.skipIf(weather === null)(
  'temperature markets of both venues (skipped where ../shared/fixtures is absent)',
  () => {
    const station: Record<string, string> = {
      houston: 'Houston Hobby Airport',
      los_angeles: 'Los Angeles Airport',
      seattle: 'Seattle-Tacoma Airport',
    }
    const cities = weather === null ? [] : Object.keys(station)

    /** Questions in the wording of one venue, with strike and day from its ticker. */
    function tickers(city: string): { id: string; title: string }[] {
      const rows = csvRows(text(`${weather}/kalshi_${city}_books.csv`))
      const ids = [...new Set(rows.map((row) => String(row.ticker)))]
      return ids.map((id) => {
        const [, day = '', kind = '', strike = ''] = /-26AUG(\d\d)-([BT])([\d.]+)$/.exec(id) ?? []
        const value = Number(strike)
        const name = city.replace('_', ' ').replace(/\b\w/g, (letter) => letter.toUpperCase())
        const range = kind === 'B' ? `${value - 0.5}-${value + 0.5}°` : `above ${value}°`
        return { id, title: `Will the high temp in ${name} be ${range} on Aug ${Number(day)}, 2026?` }
      })
    }

    test.each(cities)(
      '%s: verifies no pair, neither without rules nor with rules that name different sources',
      (city) => {
        const questions = new Map(
          csvRows(text(`${weather}/polymarket_${city}_snapshots.csv.gz`)).map((row) => [
            String(row.question),
            String(row.end_date_iso),
          ]),
        )
        const own = {
          rules: `Highest temperature recorded at ${station[city]}, National Weather Service Climatological Report (Daily).`,
        }
        const its = { rules: `Highest temperature at the ${station[city]} station, as shown by Weather Underground.` }
        const ours = tickers(city).map(({ id, title }) => {
          const market = { venue: 'kalshi', marketId: id, title }
          return [readQuestion(market), readQuestion({ ...market, ...own })] as const
        })
        const theirs = [...questions].map(([title, closeTime]) => {
          const market = { venue: 'polymarket', marketId: title, title, closeTime }
          return [readQuestion(market), readQuestion({ ...market, ...its })] as const
        })
        let close = 0
        for (const [bareA, ruledA] of ours) {
          for (const [bareB, ruledB] of theirs) {
            const bare = compareQuestions(bareA, bareB)
            expect(bare.matchBand, `${bareA.text} / ${bareB.text}`).not.toBe('verified')
            expect(['material', 'hidden'], `${ruledA.text} / ${ruledB.text}`).toContain(
              compareQuestions(ruledA, ruledB).matchBand,
            )
            if ((bare.matchScore ?? 0) >= 75) close++
          }
        }
        expect(ours.length * theirs.length).toBeGreaterThan(50)
        // The pairs are hard: some agree in all but the source.
        expect(close).toBeGreaterThan(0)
      },
    )
  },
)

const arbitrage = path('arbitrage')
describe.skipIf(arbitrage === null)(
  'logged arbitrages that were false (skipped where ../shared/fixtures is absent)',
  () => {
    test('verifies no pair whose strike or date differs, with and without the strike of the id', () => {
      const files = arbitrage === null ? [] : readdirSync(arbitrage).filter((file) => file.startsWith('cross_arb_'))
      const seen = new Set<string>()
      let differing = 0
      for (const file of files) {
        for (const row of csvRows(text(`${arbitrage}/${file}`))) {
          const id = String(row.url_b).split('/').at(-1) as string
          const key = `${row.titulo_a}\n${row.titulo_b}\n${id}`
          if (seen.has(key)) continue
          seen.add(key)
          const strike = Number(/-T([\d.]+)$/.exec(id)?.[1] ?? Number.NaN)
          const a: MatchInput = {
            venue: 'polymarket',
            marketId: String(row.url_a).split('/').at(-1) as string,
            title: String(row.titulo_a),
            closeTime: String(row.fecha_a),
          }
          const b: MatchInput = {
            venue: 'kalshi',
            marketId: id,
            title: String(row.titulo_b),
            closeTime: String(row.fecha_b),
          }
          expect(compareMarkets(a, b).matchBand, key).not.toBe('verified')
          if (!Number.isFinite(strike)) continue
          const struck = compareMarkets(a, { ...b, floorStrike: strike, strikeType: 'greater' })
          expect(struck.matchBand, key).not.toBe('verified')
          const titleStrike = Number(/\$([\d,]+)/.exec(String(row.titulo_a))?.[1]?.replaceAll(',', '') ?? Number.NaN)
          if (Math.abs(titleStrike - strike) < 1 && row.fecha_a === row.fecha_b) continue
          differing++
          expect(['material', 'hidden'], key).toContain(struck.matchBand)
        }
      }
      expect(differing).toBeGreaterThan(300)
    })
  },
)
