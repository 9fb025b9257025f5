// `npm run eval:paper`: how well does the fill model predict real fills of resting orders, and the price of taking ones? Compared with the
// same model without queues and with hftbacktest's queue models on the same tapes. Ground truth are the labs' matching engine and orders
// of known lifetimes in the recorded Kalshi tapes. Prints a table.
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { sharedFixture } from './fixtures.ts'
import { exportTape } from './paper/exportTape.ts'
import { kalshiTapes } from './paper/kalshiOrders.ts'
import { type FlowOptions, labTape } from './paper/labFlow.ts'
import { predict, predictWithoutQueue } from './paper/predict.ts'
import { runQueueModels } from './paper/queueModels.ts'
import { type Pair, pairsOf, type Score, scoreOf } from './paper/score.ts'
import type { EvaluationTape } from './paper/tape.ts'

interface Source {
  name: string
  tapes: () => Iterable<EvaluationTape>
  latencyMedianMs: number
  latencySigma: number
  /** Dollars. */
  tick: number
}

const shares = [0, 0.25, 0.5, 0.75, 1]
const latency = { latencyMedianMs: 60, latencySigma: 0.4 }
const usual: Omit<FlowOptions, 'name'> = {
  ...latency,
  seed: 'paper',
  minutes: 60,
  ordersPerSecond: 12,
  takers: 0.2,
  lifetimeMs: 15_000,
  probeEveryMs: 1_000,
  tradesLateMs: 0,
}

/** The labs' engine: many trades; few trades, so that most of the queue is cancelled; trades that are received after their book. */
export const labFlows: FlowOptions[] = [
  { ...usual, name: 'lab, busy', takers: 0.35 },
  { ...usual, name: 'lab, quiet', takers: 0.1 },
  { ...usual, name: 'lab, late trades', tradesLateMs: 150 },
]

function sourcesOf(minutes: number, seed: string): { sources: Source[]; missing: string[] } {
  const labs = labFlows.map(
    (flow): Source => ({
      ...latency,
      name: flow.name,
      tapes: () => [labTape({ ...flow, minutes, seed })],
      tick: 0.01,
    }),
  )
  const folder = sharedFixture('kalshi/ws_tape_btc15m')
  if (folder === null) return { sources: labs, missing: ['Kalshi: not measured, ../shared/fixtures does not exist'] }
  const kalshi = {
    name: 'Kalshi, BTC',
    tapes: () => kalshiTapes(folder),
    latencyMedianMs: 0,
    latencySigma: 0,
    tick: 0.001,
  }
  return { sources: [...labs, kalshi], missing: [] }
}

const head = [
  'tape',
  'model',
  'orders',
  'filled',
  'right',
  'found',
  'true',
  'time, ms',
  'mean abs',
  'p90',
  'price, ¢',
  'p90',
]

const percent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)}%`)

const rowOf = (tape: string, model: string, score: Score): string[] => [
  tape,
  model,
  `${score.probes}`,
  percent(score.filledShare),
  percent(score.rightShare),
  percent(score.foundShare),
  percent(score.trueShare),
  score.timeError?.median.toFixed(0) ?? '–',
  score.timeError?.meanAbsolute.toFixed(0) ?? '–',
  score.timeError?.p90Absolute.toFixed(0) ?? '–',
  score.priceError?.meanAbsolute.toFixed(3) ?? '–',
  score.priceError?.p90Absolute.toFixed(2) ?? '–',
]

const tableOf = (rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('')

/** Pairs of each model of one source, in the order in which the models are shown. */
class Results {
  private readonly pairs = new Map<string, Pair[]>()

  add(model: string, pairs: readonly Pair[]): void {
    const all = this.pairs.get(model) ?? []
    this.pairs.set(model, all)
    for (const pair of pairs) all.push(pair)
  }

  rows(tape: string): string[][] {
    return [...this.pairs].map(([model, pairs]) => rowOf(tape, model, scoreOf(pairs)))
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: `${usual.minutes}` },
      seed: { type: 'string', default: usual.seed },
      folder: { type: 'string', default: '.data/eval-paper' },
      python: { type: 'string' },
      'without-hftbacktest': { type: 'boolean', default: false },
    },
  })
  const { sources, missing } = sourcesOf(Number(values.minutes), values.seed)
  const folder = resolve(values.folder)
  mkdirSync(folder, { recursive: true })
  const makers = new Map(sources.map(({ name }) => [name, new Results()]))
  const takers = new Map(sources.map(({ name }) => [name, new Results()]))
  const exported = new Map<string, { source: Source; tape: EvaluationTape }>()
  for (const source of sources) {
    for (const tape of source.tapes()) {
      if (tape.probes.length === 0) continue
      const { latencyMedianMs, latencySigma } = source
      const settings = { latencyMedianMs, latencySigma, seed: 'evaluation', cancelShareAhead: 0 }
      const results = makers.get(source.name)!
      results.add('no queue', pairsOf(tape, tape.probes, predictWithoutQueue(tape, settings)))
      for (const cancelShareAhead of shares) {
        const predicted = predict(tape, { ...settings, cancelShareAhead })
        results.add(`Crossbook, share ${cancelShareAhead}`, pairsOf(tape, tape.probes, predicted))
      }
      if (tape.takers.length > 0) {
        const predicted = predict(tape, settings, tape.takers)
        takers.get(source.name)!.add('Crossbook', pairsOf(tape, tape.takers, predicted))
      }
      if (values['without-hftbacktest']) continue
      const name = `tape-${exported.size}`
      exportTape(tape, folder, name, latencyMedianMs, source.tick)
      // The messages are written; only the probes and their outcomes are still needed.
      exported.set(name, { source, tape: { ...tape, events: [] } })
    }
  }
  if (!values['without-hftbacktest']) {
    const runs = await runQueueModels(folder, values.python ?? null)
    if (typeof runs === 'string') missing.push(`hftbacktest: not measured, ${runs}`)
    else
      for (const { tape: name, model, outcomes } of runs) {
        const { source, tape } = exported.get(name)!
        makers.get(source.name)!.add(`hftbacktest, ${model}`, pairsOf(tape, tape.probes, outcomes))
      }
  }
  process.stdout.write(`Resting orders\n\n${tableOf([...makers].flatMap(([tape, results]) => results.rows(tape)))}\n`)
  process.stdout.write(`Taking orders\n\n${tableOf([...takers].flatMap(([tape, results]) => results.rows(tape)))}`)
  for (const line of missing) process.stdout.write(`\n${line}\n`)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main()
