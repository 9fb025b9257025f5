// How fast the matcher reads questions, compares pairs and finds candidates among 200,000 markets.
import { CandidateIndex } from '#matching/block/candidates'
import { indexTerms } from '#matching/block/indexTerms'
import { compareQuestions } from '#matching/compare/compare'
import { IncrementalMatcher, type SessionAnswer } from '#matching/incrementalMatcher'
import { readQuestion } from '#matching/read/parsedMarket'
import type { Question } from '#matching/read/question'
import type { ClusterRow } from '#storage/postgres/matching/index'
import { type Bench, type BenchResult, cpuNsPerCall, figure, fullOrShort, median, rateResult } from './bench.ts'
import { generateMarkets } from './syntheticMarkets.ts'

const size = fullOrShort(200_000, 1_000)
const changed = fullOrShort(1_000, 20)
const changeRounds = fullOrShort(5, 1)

async function questions(): Promise<BenchResult[]> {
  const { markets, twins } = generateMarkets(fullOrShort(4_000, 200))
  const ns = cpuNsPerCall((call) => readQuestion(markets[call % markets.length] as (typeof markets)[number]), {
    calls: 2_000,
  })
  const read = markets.map((market) => readQuestion(market))
  const pairs: [Question, Question][] = [
    ...twins.map(([a, b]): [Question, Question] => [read[a] as Question, read[b] as Question]),
    ...read.slice(1).map((question, at): [Question, Question] => [read[at] as Question, question]),
  ]
  const compared = cpuNsPerCall(
    (call) => {
      const [a, b] = pairs[call % pairs.length] as [Question, Question]
      return compareQuestions(a, b)
    },
    { calls: 20_000 },
  )
  return [
    figure('matching.questions', 'questions read', 'per CPU second', 1e9 / ns),
    figure('matching.questions', 'pairs compared', 'per CPU second', 1e9 / compared),
  ]
}

async function candidates(): Promise<BenchResult[]> {
  const { markets, twins } = generateMarkets(size)
  const before = process.cpuUsage()
  const index = new CandidateIndex(markets, { k: 50 })
  const { user, system } = process.cpuUsage(before)
  const ns = cpuNsPerCall((call) => index.find((call * 7_919) % size), { calls: 1_000, rounds: 3 })
  const terms = markets.map((market) => new Set(indexTerms(market)))
  const scan = cpuNsPerCall(
    (call) => {
      const own = terms[(call * 7_919) % size] as Set<string>
      const shared = terms.map((other, at) => [at, [...own].filter((term) => other.has(term)).length] as const)
      return shared.sort((a, b) => b[1] - a[1]).slice(0, 50)
    },
    { calls: 2, rounds: 1 },
  )
  const checked = twins.slice(0, 5_000)
  const kept = checked.filter(([a, b]) => index.find(a).some((found) => found.index === b)).length
  return [
    figure('matching.candidates', `index of ${size} markets`, 'CPU seconds', (user + system) / 1e6),
    rateResult(
      'matching.candidates',
      `top 50 of ${size}`,
      'markets per CPU second',
      1e9 / ns,
      'scan of every market',
      1e9 / scan,
    ),
    figure('matching.candidates', 'twins among the 50', 'share', kept / checked.length),
  ]
}

/** A full run, then runs after some markets changed, as the worker thread makes them. */
async function runs(): Promise<BenchResult[]> {
  const { markets } = generateMarkets(size, { venues: 16 })
  const session = new IncrementalMatcher()
  session.put(markets)
  const seconds = (full: boolean, before: readonly ClusterRow[]): [SessionAnswer, cpu: number, wall: number] => {
    const previous = before.map(({ id, members }) => ({
      id,
      members: members.map(({ venue, market_id }) => ({ key: `${venue}:${market_id}` })),
    }))
    const [start, wall] = [process.cpuUsage(), performance.now()]
    const answer = session.run({ previous, overrides: [], full, now: Date.now() })
    const { user, system } = process.cpuUsage(start)
    return [answer, (user + system) / 1e6, (performance.now() - wall) / 1e3]
  }
  const [answer, whole, wholeWall] = seconds(true, [])
  const [changes, walls]: [number[], number[]] = [[], []]
  for (let round = 0; round < changeRounds; round++) {
    session.put(Array.from({ length: changed }, (_, at) => ({ ...markets[(at * 7_919 + round * 13) % size]! })))
    const [, cpu, wall] = seconds(false, answer.clusters)
    changes.push(cpu)
    walls.push(wall)
  }
  return [
    figure('matching.runs', `${size} markets read and paired`, 'CPU seconds', whole),
    figure('matching.runs', `${size} markets read and paired`, 'seconds by the clock', wholeWall),
    figure('matching.runs', `${changed} of ${size} changed`, 'CPU seconds', median(changes)),
    figure('matching.runs', `${changed} of ${size} changed`, 'seconds by the clock', median(walls)),
    figure('matching.runs', 'resident memory after', 'MB', process.memoryUsage.rss() / 2 ** 20),
  ]
}

export const benches: readonly Bench[] = [
  { name: 'matching.questions', run: questions },
  { name: 'matching.candidates', run: candidates },
  { name: 'matching.runs', run: runs },
]
