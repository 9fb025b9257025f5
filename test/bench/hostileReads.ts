// Latency of other callers while one key requests 1,000-row searches on twenty connections, compared with the same callers just before, at
// one gateway with a catalog in PostgreSQL.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startTestPostgres } from '../support/postgres.ts'
import { programOptions } from '../support/programOptions.ts'
import { type Bench, type BenchResult, costResult, fullOrShort, median } from './bench.ts'
import { type ReadLoop, readAgain, requestOf } from './hostileReads.client.ts'
import type { ReadLoadCommand, ReadLoadReport } from './hostileReads.clients.ts'
import type { ReadsServer } from './hostileReads.server.ts'

const connections = 20
const rounds = fullOrShort(3, 1)
const roundMs = fullOrShort(5_000, 500)
/** Callers of each kind, and each one's pause between two requests. */
const callers = 5
const pauseMs = 5

const kinds = { book: 'a live book', small: 'a search of 10 rows' } as const
type Kind = keyof typeof kinds
const quantiles = { p50: 0.5, p99: 0.99 } as const
type Figures = Record<Kind, Record<keyof typeof quantiles, number>>

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

async function messageOf<T>(child: ChildProcess): Promise<T> {
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`a child process ended with ${code}`))),
  ])) as [T]
  return message
}

async function run(): Promise<BenchResult[]> {
  const postgres = await startTestPostgres()
  const server = fork(fileOf('./hostileReads.server.ts'), [await postgres.createDatabase()], {
    execArgv: [...programOptions],
  })
  const loadProcess = fork(fileOf('./hostileReads.clients.ts'), [], { execArgv: [] })
  const ended = Promise.all([once(server, 'exit'), once(loadProcess, 'exit')])
  try {
    const { port, paths } = await messageOf<ReadsServer>(server)
    const order = async (count: number): Promise<ReadLoadReport> => {
      const report = messageOf<ReadLoadReport>(loadProcess)
      loadProcess.send({ port, path: paths.large, key: 'hostile', connections: count } satisfies ReadLoadCommand)
      return report
    }
    const loopsOf = (kind: Kind): Promise<ReadLoop[]> =>
      Promise.all(
        Array.from({ length: callers }, (_, at) => readAgain(port, requestOf(paths[kind], `${kind}${at}`), pauseMs)),
      )
    const loops: Record<Kind, ReadLoop[]> = { book: await loopsOf('book'), small: await loopsOf('small') }
    const others = [...loops.book, ...loops.small]
    const refusedNow = (): number => others.reduce((sum, loop) => sum + loop.refused, 0)
    const measure = async (): Promise<Figures> => {
      for (const loop of others) {
        loop.taken = []
        loop.refused = 0
      }
      await setTimeout(roundMs)
      const figures = (kind: Kind): Figures[Kind] => {
        const taken = loops[kind].flatMap((loop) => loop.taken).sort((a, b) => a - b)
        return { p50: quantile(taken, quantiles.p50), p99: quantile(taken, quantiles.p99) }
      }
      return { book: figures('book'), small: figures('small') }
    }
    await measure()
    const calm: Figures[] = []
    const troubled: Figures[] = []
    const answered: number[] = []
    const refused: number[] = []
    const refusedCalm: number[] = []
    for (let round = 0; round < rounds; round++) {
      calm.push(await measure())
      refusedCalm.push(refusedNow())
      await order(connections)
      troubled.push(await measure())
      refused.push(refusedNow())
      const report = await order(0)
      answered.push(((report.answered - report.refused) * 1_000) / roundMs)
    }
    for (const loop of others) loop.stop()
    const middle = (from: readonly Figures[], kind: Kind, name: keyof typeof quantiles): number =>
      median(from.map((figures) => figures[kind][name]))
    const metric = `${connections} connections of one key request 1,000-row searches: other callers'`
    return [
      ...(Object.keys(kinds) as Kind[]).flatMap((kind) =>
        (Object.keys(quantiles) as (keyof typeof quantiles)[]).map((name) =>
          costResult(
            'hostile.largeReads',
            `${metric} ${name} of ${kinds[kind]}`,
            'ms',
            middle(troubled, kind, name),
            'the same callers before',
            middle(calm, kind, name),
          ),
        ),
      ),
      {
        bench: 'hostile.largeReads',
        metric: `${metric} requests that were not answered with 200`,
        value: median(refused),
        unit: 'requests in 5 s',
        peer: 'the same callers before',
        peerValue: median(refusedCalm),
        ratio: null,
      },
      {
        bench: 'hostile.largeReads',
        metric: 'searches of 1,000 rows answered to that key',
        value: Math.round(median(answered)),
        unit: '1/s',
        peer: null,
        peerValue: null,
        ratio: null,
      },
    ]
  } finally {
    if (server.connected) server.disconnect()
    if (loadProcess.connected) loadProcess.disconnect()
    await ended
    await postgres.stop()
  }
}

const quantile = (sorted: readonly number[], at: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN

export const benches: readonly Bench[] = [{ name: 'hostile.largeReads', run }]
