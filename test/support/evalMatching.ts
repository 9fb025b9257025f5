// `npm run eval:matching -- --pairs <file>…`: measures the matcher on labelled pairs and prints one JSON object: over all sets, and under
// `evidence` per set, family and template, on hard negatives, and with simulated judges. Reads every labelled layout in
// shared/fixtures/cross_venue (corpus, equivalence seed, id pairs, CSV lists); the layout is recognized by its fields.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { CandidateIndex } from '#matching/block/candidates'
import { compareMarkets } from '#matching/compare/compare'
import { parseDecisions, readShippedDecisions } from '#matching/decide/templates/shippedDecisions'
import type { MatchBand, MatchResult } from '#matching/match'
import { type MatchInput, marketKey } from '#matching/read/input'
import { evaluateRelations, framesSeen } from './evalRelations.ts'
import { half, type LabelledPair, readPairs } from './labelledPairs.ts'
import { evaluateFamilies, type FamilyOptions, type LabelledSet } from './matching/evalFamilies.ts'
import { isDevelopedSet } from './matching/families.ts'

export interface Mistake {
  kind: 'false match' | 'missed match' | 'wrong polarity'
  score: number | null
  band: MatchBand
  a: string
  b: string
  differences: string[]
}

export interface Evaluation {
  pairs: number
  matches: number
  bands: Record<MatchBand, { pairs: number; matches: number; precision: number | null; recall: number | null }>
  /** From the surest band down: verified, then verified and minor, … */
  cumulative: Partial<Record<MatchBand, { pairs: number; precision: number | null; recall: number | null }>>
  polarity: { checked: number; right: number; accuracy: number | null }
  /** Labelled events with several pairs each: found when more than half of their pairs are verified or minor. */
  groups: { count: number; found: number; recall: number | null } | null
  candidates: { k: number; pairs: number; kept: number; recall: number | null }
  mistakes: Mistake[]
}

const ratio = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000
const order: readonly MatchBand[] = ['verified', 'minor', 'material', 'hidden', 'unscored']

export function evaluate(pairs: readonly LabelledPair[], worst = 20, asOf: number = Date.now()): Evaluation {
  const results = pairs.map((pair): [LabelledPair, MatchResult] => [pair, compareMarkets(pair.a, pair.b, asOf)])
  const matches = pairs.filter((pair) => pair.match).length
  const bands = {} as Evaluation['bands']
  const cumulative: Evaluation['cumulative'] = {}
  let soFar = 0
  let rightSoFar = 0
  for (const band of order) {
    const here = results.filter(([, result]) => result.matchBand === band)
    const right = here.filter(([pair]) => pair.match).length
    bands[band] = {
      pairs: here.length,
      matches: right,
      precision: ratio(right, here.length),
      recall: ratio(right, matches),
    }
    soFar += here.length
    rightSoFar += right
    cumulative[band] = { pairs: soFar, precision: ratio(rightSoFar, soFar), recall: ratio(rightSoFar, matches) }
  }
  const checked = results.filter(
    ([pair, result]) => pair.match && pair.polarity !== null && result.matchBand === 'verified',
  )
  const right = checked.filter(([pair, result]) => pair.polarity === result.polarity).length
  return {
    pairs: pairs.length,
    matches,
    bands,
    cumulative,
    polarity: { checked: checked.length, right, accuracy: ratio(right, checked.length) },
    groups: groupsOf(results),
    candidates: candidateRecall(pairs),
    mistakes: mistakesOf(results).slice(0, worst),
  }
}

const joined = (band: MatchBand): boolean => band === 'verified' || band === 'minor'

function groupsOf(results: readonly [LabelledPair, MatchResult][]): Evaluation['groups'] {
  const groups = new Map<string, [number, number]>()
  for (const [pair, result] of results) {
    if (pair.group === null || !pair.match) continue
    const [found, all] = groups.get(pair.group) ?? [0, 0]
    groups.set(pair.group, [found + (joined(result.matchBand) ? 1 : 0), all + 1])
  }
  if (groups.size === 0) return null
  const found = [...groups.values()].filter(([part, all]) => part * 2 > all).length
  return { count: groups.size, found, recall: ratio(found, groups.size) }
}

/** All markets of the file are in one index, also those of false pairs: the true partner must be among the first 50. */
export function candidateRecall(pairs: readonly LabelledPair[], k = 50): Evaluation['candidates'] {
  const places = new Map<string, number>()
  const markets: MatchInput[] = []
  const place = (market: MatchInput): number => {
    const key = `${marketKey(market)}\n${market.title}`
    const known = places.get(key)
    if (known !== undefined) return known
    places.set(key, markets.length)
    markets.push(market)
    return markets.length - 1
  }
  const placed = pairs.map((pair) => [place(pair.a), place(pair.b)] as const)
  const index = new CandidateIndex(markets, { k })
  let kept = 0
  let matches = 0
  pairs.forEach((pair, at) => {
    if (!pair.match) return
    matches++
    const [a, b] = placed[at] as readonly [number, number]
    if (index.find(a).some((found) => found.index === b) || index.find(b).some((found) => found.index === a)) kept++
  })
  return { k, pairs: matches, kept, recall: ratio(kept, matches) }
}

function mistakesOf(results: readonly [LabelledPair, MatchResult][]): Mistake[] {
  const found: [number, Mistake][] = []
  for (const [pair, result] of results) {
    const of = (kind: Mistake['kind'], weight: number): void => {
      found.push([
        weight,
        {
          kind,
          score: result.matchScore,
          band: result.matchBand,
          a: `${marketKey(pair.a)} ${titleOf(pair.a)}`,
          b: `${marketKey(pair.b)} ${titleOf(pair.b)}`,
          differences: result.matchDifferences.map((each) => `-${each.points} ${each.kind}: ${each.detail}`),
        },
      ])
    }
    const score = result.matchScore ?? 0
    if (!pair.match && joined(result.matchBand)) of('false match', 200 + score)
    else if (pair.match && !joined(result.matchBand)) of('missed match', 100 - score)
    else if (pair.match && pair.polarity !== null && pair.polarity !== result.polarity) of('wrong polarity', 150)
  }
  return found.sort((x, y) => y[0] - x[0]).map(([, mistake]) => mistake)
}

const titleOf = (market: MatchInput): string =>
  [market.eventTitle, market.title, market.subtitle].filter(Boolean).join(' | ')

export interface ReportOptions extends Omit<FamilyOptions, 'sets' | 'otherEntries'> {
  worst: number
  /** Pairs of other sets, which show what was not made for these. */
  additional?: readonly LabelledPair[]
}

export function report(
  sets: readonly LabelledSet[],
  { worst, additional = [], asOf = Date.now(), ...options }: ReportOptions,
): Record<string, unknown> {
  const pairs = sets.flatMap((set) => set.pairs)
  const part = (which: 'development' | 'heldOut'): Omit<Evaluation, 'mistakes'> => {
    const { mistakes: _, ...rest } = evaluate(
      pairs.filter((pair) => half(pair) === which),
      0,
      asOf,
    )
    return rest
  }
  const otherEntries = framesSeen(additional)
  return {
    ...evaluate(pairs, worst, asOf),
    ...(pairs.some((pair) => pair.family !== null) ? { relations: evaluateRelations(pairs, otherEntries, asOf) } : {}),
    halves: { development: part('development'), heldOut: part('heldOut') },
    evidence: evaluateFamilies(pairs, { ...options, asOf, otherEntries, sets }),
  }
}

const readSet = (path: string): LabelledSet => ({ name: path, pairs: readPairs(path), developed: isDevelopedSet(path) })

const usage = `usage: npm run eval:matching -- --pairs <file.jsonl[.gz]>… [--beside <file>]… [--worst 20] [--as-of 2026-11-23]
  [--decisions <file.jsonl>] [--negatives 2000] [--repetitions 20] [--seed <text>]
`

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: {
      pairs: { type: 'string', multiple: true, default: [] },
      beside: { type: 'string', multiple: true, default: [] },
      worst: { type: 'string', default: '20' },
      'as-of': { type: 'string', default: new Date().toISOString() },
      decisions: { type: 'string' },
      negatives: { type: 'string', default: '2000' },
      repetitions: { type: 'string', default: '20' },
      seed: { type: 'string', default: 'crossbook' },
    },
  })
  if (values.pairs.length === 0) {
    process.stderr.write(usage)
    process.exitCode = 2
  } else {
    const measured = report(values.pairs.map(readSet), {
      worst: Number(values.worst),
      additional: values.beside.flatMap(readPairs),
      asOf: Date.parse(values['as-of']),
      decisions:
        values.decisions === undefined
          ? readShippedDecisions()
          : parseDecisions(readFileSync(values.decisions, 'utf8')),
      negativesMax: Number(values.negatives),
      repetitions: Number(values.repetitions),
      seed: values.seed,
    })
    process.stdout.write(`${JSON.stringify(measured, null, 2)}\n`)
  }
}
