// How fast the matcher reads questions, compares pairs and finds candidates among 200,000 markets.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { CandidateIndex } from '#matching/candidates'
import { compareQuestions } from '#matching/compare'
import { indexTerms } from '#matching/indexTerms'
import { type Question, readQuestion } from '#matching/question'
import { matcherSurvivors } from '../../workers/matchEngine.ts'
import { youngMemory } from '../../workers/pool.ts'
import { type Bench, type BenchResult, cpuNsPerCall, figure, rateResult } from './bench.ts'
import { crowd } from './marketCrowd.ts'

const size = 200_000

async function questions(): Promise<BenchResult[]> {
  const { markets, twins } = crowd(4_000)
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
  const { markets, twins } = crowd(size)
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

/** On a thread with the memory of the matcher's own. */
async function runs(): Promise<BenchResult[]> {
  const thread = new Worker(new URL('./matching.worker.ts', import.meta.url), {
    resourceLimits: youngMemory(matcherSurvivors),
  })
  const [results] = (await once(thread, 'message')) as [BenchResult[]]
  await thread.terminate()
  return results
}

export const benches: readonly Bench[] = [
  { name: 'matching.questions', run: questions },
  { name: 'matching.candidates', run: candidates },
  { name: 'matching.runs', run: runs },
]
