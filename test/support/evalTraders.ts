// `npm run eval:traders`: does a wallet's past score predict its later return? Compared with a ranking by plain realized profit and one by
// chance, on wallets of known skill and on recorded ones if there are enough. Prints one JSON object.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { createPrng } from '#lab/prng'
import { emptyRecord, type MarketResult, type Position, resultOf, walletScore, withMarket } from '#traders/scores/index'
import { drawPopulation, type PopulationOptions } from './traders/population.ts'
import { bootstrapped, type Interval, rankCorrelation, topDecileLift } from './traders/statistics.ts'

/** A scored wallet. */
interface Evaluated {
  settled: number
  score: number
  /** The value that the other ranking uses: USD won before. */
  profit: number
  chance: number
  /** What it later made per dollar staked. */
  after: number
  skill: number
}

interface Ranking {
  /** With the later return, and with the skill that was drawn. */
  correlation: Interval
  withSkill: Interval
  /** Later return of the best tenth minus that of all. */
  topDecileLift: Interval
}

export interface Group {
  wallets: number
  score: Ranking
  profit: Ranking
  chance: Ranking
  /** Correlation by score minus that by profit, and the same for the lifts. */
  ahead: Interval
  aheadInLift: Interval
}

export interface SeededEvaluation {
  wallets: number
  tooFewMarkets: number
  all: Group
  smallSamples: Group
  largeSamples: Group
}

export interface TraderEvaluation {
  /** `short`: skill spread as in `spread`, for wallets with few markets. */
  seeded: Record<PopulationOptions['skills'] | 'short', SeededEvaluation>
  recorded: string
}

/** With fewer settled markets than this a wallet is a small sample. */
const smallSample = 25

const resultsOf = (positions: readonly Position[]): MarketResult[] =>
  positions.flatMap((position) => resultOf([position]) ?? [])
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function evaluate(options: PopulationOptions): { evaluated: Evaluated[]; tooFewMarkets: number } {
  const prng = createPrng(`${options.seed} chance`)
  const people = drawPopulation(options)
  const evaluated = people.flatMap(({ skill, before, after }): Evaluated[] => {
    const results = resultsOf(before)
    const later = resultsOf(after)
    const { score } = walletScore(results.reduce(withMarket, emptyRecord()))
    if (score === null) return []
    return [
      {
        settled: results.length,
        score,
        profit: sum(results.map(({ result }) => result)),
        chance: prng.next(),
        after: sum(later.map(({ result }) => result)) / sum(later.map(({ stake }) => stake)),
        skill,
      },
    ]
  })
  return { evaluated, tooFewMarkets: people.length - evaluated.length }
}

function compare(wallets: readonly Evaluated[], seed: string, samples: number): Group {
  type By = 'score' | 'profit' | 'chance'
  const column = (rows: readonly Evaluated[], name: keyof Evaluated): number[] => rows.map((row) => row[name])
  const measured = (name: string, measure: (rows: readonly Evaluated[]) => number): Interval =>
    bootstrapped(wallets, measure, createPrng(`${seed} ${name}`), samples)
  const correlation =
    (by: By, against: 'after' | 'skill') =>
    (rows: readonly Evaluated[]): number =>
      rankCorrelation(column(rows, by), column(rows, against))
  const lift =
    (by: By) =>
    (rows: readonly Evaluated[]): number =>
      topDecileLift(column(rows, by), column(rows, 'after'))
  const ranking = (by: By): Ranking => ({
    correlation: measured('correlation', correlation(by, 'after')),
    withSkill: measured('skill', correlation(by, 'skill')),
    topDecileLift: measured('lift', lift(by)),
  })
  return {
    wallets: wallets.length,
    score: ranking('score'),
    profit: ranking('profit'),
    chance: ranking('chance'),
    ahead: measured('ahead', (rows) => correlation('score', 'after')(rows) - correlation('profit', 'after')(rows)),
    aheadInLift: measured('ahead in lift', (rows) => lift('score')(rows) - lift('profit')(rows)),
  }
}

export function evaluateSeeded(options: PopulationOptions, samples: number): SeededEvaluation {
  const { evaluated, tooFewMarkets } = evaluate(options)
  const group = (wallets: readonly Evaluated[], name: string): Group =>
    compare(wallets, `${options.seed} ${name}`, samples)
  return {
    wallets: evaluated.length + tooFewMarkets,
    tooFewMarkets,
    all: group(evaluated, 'all'),
    smallSamples: group(
      evaluated.filter(({ settled }) => settled < smallSample),
      'small',
    ),
    largeSamples: group(
      evaluated.filter(({ settled }) => settled >= smallSample),
      'large',
    ),
  }
}

export const recordings = new URL('../../../shared/fixtures/sxbet/trades/', import.meta.url)
const files = ['trades_Champions_League_UEFA.csv.gz', 'trades_FIFA_World_Cup.csv.gz', 'trades_Veikkausliiga.csv.gz']
/** Fewer wallets than this make a comparison meaningless. */
const recordedMin = 100

/** The only recording with wallets and the results of their bets. */
export function recordedWallets(folder: URL = recordings): string {
  const wallets = new Map<string, Set<string>>()
  let fills = 0
  let settled = 0
  for (const file of files) {
    let text: string
    try {
      text = gunzipSync(readFileSync(new URL(file, folder))).toString()
    } catch {
      return `not measured: ${file} does not exist`
    }
    const [head = '', ...lines] = text.trimEnd().split('\n')
    const names = head.trim().split(',')
    const [bettor, market, isSettled] = ['bettor', 'marketHash', 'settled'].map((name) => names.indexOf(name))
    for (const line of lines) {
      const cells = line.trim().split(',')
      fills++
      if (cells[isSettled!] !== '1') continue
      settled++
      const of = wallets.get(cells[bettor!]!) ?? new Set()
      wallets.set(cells[bettor!]!, of.add(cells[market!]!))
    }
  }
  const enough = [...wallets.values()].filter((markets) => markets.size >= 10).length
  return enough >= recordedMin
    ? `there are ${enough} recorded wallets now: measure them`
    : `not enough: of ${fills} recorded fills ${settled} are settled, and ${enough} wallets have ten settled markets or more; ${recordedMin} are needed`
}

export const fullPopulation: PopulationOptions = {
  seed: 'traders',
  skills: 'spread',
  wallets: 4_000,
  marketsBefore: 100,
  marketsAfter: 400,
}

/** From five markets to 150. */
export const shortPopulation: PopulationOptions = { ...fullPopulation, marketsBefore: 15 }

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: { seed: { type: 'string', default: fullPopulation.seed }, samples: { type: 'string', default: '200' } },
  })
  const population = { ...fullPopulation, seed: values.seed }
  const evaluation: TraderEvaluation = {
    seeded: {
      spread: evaluateSeeded(population, Number(values.samples)),
      few: evaluateSeeded({ ...population, skills: 'few' }, Number(values.samples)),
      short: evaluateSeeded({ ...shortPopulation, seed: values.seed }, Number(values.samples)),
    },
    recorded: recordedWallets(),
  }
  process.stdout.write(`${JSON.stringify(evaluation, null, 2)}\n`)
}
