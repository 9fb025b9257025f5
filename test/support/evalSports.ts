// `npm run eval:sports`: measures which games of two venues the engine treats as the same, on the labelled pairs of shared/fixtures, and
// prints one JSON object. The labels: pairs of Kalshi and Polymarket US tickers in use by a bot (moneyline), and the lists of Polymarket US
// that name every moneyline, spread and total market of an event. All are in one engine, so that a pair can be missed or joined falsely. In
// addition, the pairs that were held out (sports/heldOut.ts).
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { SportsEngine, type SportsInput } from '#sports/index'
import { sharedFixture } from './fixtures.ts'
import { parsePairs } from './labelledPairs.ts'
import { evaluateHeldOut } from './sports/evalHeldOut.ts'

export interface LabelledMarket {
  venue: string
  marketId: string
  /** Title of its event, when the label has one. */
  eventTitle: string | null
  kind: 'moneyline' | 'spread' | 'total'
}

export interface LabelledGames {
  markets: LabelledMarket[]
  /** Market key → the real game it belongs to. */
  gameOf: ReadonlyMap<string, string>
}

export interface SportsEvaluation {
  markets: number
  games: number
  placed: number
  /** Of all pairs of markets on two venues. */
  pairs: { same: number; joined: number; right: number; precision: number; recall: number }
  /** By the type of the second venue's market. */
  byKind: Record<string, { same: number; right: number; recall: number }>
  missed: string[]
  wrong: string[]
}

const files = [
  'cross_venue/matching/polymarket_us_kalshi_pairs.json',
  ...['', 'spread_', 'total_'].map(
    (kind) => `polymarket_us/mappings/polymarket_us_${kind}event_to_market_mapping.json`,
  ),
].map(sharedFixture)

type EventLists = Record<string, Record<string, Record<string, { title: string; market_slugs: string[] }>>>

/** Null when the recordings are absent. */
export function readLabels(): LabelledGames | null {
  const [pairs, ...lists] = files.filter((file) => file !== null)
  if (pairs === undefined || lists.length < files.length - 1) return null
  const markets = new Map<string, LabelledMarket>()
  const parent = new Map<string, string>()
  const rootOf = (key: string): string => {
    const up = parent.get(key)
    return up === undefined || up === key ? key : rootOf(up)
  }
  const join = (a: string, b: string): void => {
    for (const key of [a, b]) if (!parent.has(key)) parent.set(key, key)
    parent.set(rootOf(a), rootOf(b))
  }
  const add = (venue: string, marketId: string, eventTitle: string | null): string => {
    const key = `${venue}:${marketId}`
    const kind = /^asc-/.test(marketId) ? 'spread' : /^tsc-/.test(marketId) ? 'total' : 'moneyline'
    if (!markets.has(key) || eventTitle !== null) markets.set(key, { venue, marketId, eventTitle, kind })
    return key
  }
  for (const { a, b } of parsePairs(readFileSync(pairs, 'utf8'), pairs))
    join(add(a.venue, a.marketId, null), add(b.venue, b.marketId, null))
  for (const path of lists) {
    const list = JSON.parse(readFileSync(path, 'utf8')) as EventLists
    for (const leagues of Object.values(list))
      for (const events of Object.values(leagues))
        for (const [event, { title, market_slugs: slugs }] of Object.entries(events))
          for (const slug of slugs) join(add('polymarket_us', slug, title), `event:${event}`)
  }
  return { markets: [...markets.values()], gameOf: new Map([...markets.keys()].map((key) => [key, rootOf(key)])) }
}

/** `titles`: with the event's title when the label has one, as in a catalog; otherwise by ids alone. */
export function inputOf({ venue, marketId, eventTitle }: LabelledMarket, titles: boolean): SportsInput {
  return {
    venue,
    marketId,
    eventId: null,
    title: '',
    description: '',
    subtitle: null,
    eventTitle: titles ? eventTitle : null,
    slug: null,
    eventSlug: null,
    seriesId: null,
    category: 'Sports',
    tags: [],
    status: 'active',
    outcomes: [
      { outcomeId: `${marketId}/yes`, label: 'Yes' },
      { outcomeId: `${marketId}/no`, label: 'No' },
    ],
    metadata: {},
    eventMetadata: {},
  }
}

export function evaluate({ markets, gameOf }: LabelledGames, titles: boolean): SportsEvaluation {
  const engine = new SportsEngine()
  engine.upsert(markets.map((market) => inputOf(market, titles)))
  const today = Math.floor(Date.parse('2026-05-10T00:00:00Z') / 86_400_000)
  const fixtureOf = new Map<string, string>()
  for (const { head, entries } of engine.run(today).changed)
    for (const { venue, marketId } of entries) fixtureOf.set(`${venue}:${marketId}`, head.fixtureId)
  const [first, second] = [...new Set(markets.map(({ venue }) => venue))]
  const placed = markets.map((market) => {
    const key = `${market.venue}:${market.marketId}`
    return { ...market, game: gameOf.get(key), fixture: fixtureOf.get(key) }
  })
  const ours = placed.filter(({ venue }) => venue === first)
  const theirs = placed.filter(({ venue }) => venue === second)
  const counts = { same: 0, joined: 0, right: 0 }
  const byKind: Record<string, { same: number; right: number; recall: number }> = {}
  const [missed, wrong]: [string[], string[]] = [[], []]
  for (const a of ours) {
    for (const b of theirs) {
      const same = a.game === b.game
      const joined = a.fixture !== undefined && a.fixture === b.fixture
      if (!same && !joined) continue
      byKind[b.kind] ??= { same: 0, right: 0, recall: 0 }
      const kind = byKind[b.kind]!
      if (same) counts.same++
      if (joined) counts.joined++
      if (same) kind.same++
      if (same && joined) {
        counts.right++
        kind.right++
      } else if (same) missed.push(`${a.marketId} ${b.marketId}`)
      else wrong.push(`${a.marketId} ${b.marketId}`)
    }
  }
  for (const kind of Object.values(byKind)) kind.recall = ratio(kind.right, kind.same)
  return {
    markets: markets.length,
    games: new Set(gameOf.values()).size,
    placed: fixtureOf.size,
    pairs: { ...counts, precision: ratio(counts.right, counts.joined), recall: ratio(counts.right, counts.same) },
    byKind,
    missed,
    wrong,
  }
}

const ratio = (part: number, whole: number): number => (whole === 0 ? 1 : Math.round((part / whole) * 10_000) / 10_000)

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({ options: { worst: { type: 'string', default: '20' } } })
  const worst = Number(values.worst)
  const cut = (evaluation: SportsEvaluation): SportsEvaluation => ({
    ...evaluation,
    missed: evaluation.missed.slice(0, worst),
    wrong: evaluation.wrong.slice(0, worst),
  })
  const labels = readLabels()
  const labelled =
    labels === null ? {} : { byIds: cut(evaluate(labels, false)), withTitles: cut(evaluate(labels, true)) }
  process.stdout.write(`${JSON.stringify({ ...labelled, heldOut: evaluateHeldOut() }, null, 2)}\n`)
  if (labels === null) process.stderr.write('no labelled pairs: ../shared/fixtures is absent\n')
}
