// What a gateway costs against the number of gateways, over a real broker: a given number of books is published as ingest does it, to the
// same sockets and markets spread over one, two and three gateways. Counts the CPU time of each gateway, which depends less on other load
// than shares of a core do. One line per spread.
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createBook } from '#core/books/book'
import { encodeCore } from '#core/books/encode'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { startLab } from '#lab/lab'
import { createKey } from '#platform/auth/keys'
import { type Demand, healthMs } from '#schemas/topics'
import { createKafkaBus } from '#storage/kafka/kafkaBus'
import { migrate } from '#storage/postgres/migrate'
import { createPool } from '#storage/postgres/pool'
import { labEnvironment } from '../support/cluster/labEnvironment.ts'
import { labVenues, openMarkets } from '../support/cluster/labTruth.ts'
import { type RoleProcess, roleProcess } from '../support/cluster/roleProcess.ts'
import { startClickhouse, startPostgres } from '../support/cluster/stores.ts'
import { startKafka } from '../support/kafka/broker.ts'
import { healthOf } from '../support/venueHealth.ts'
import type { ScaleOrder } from './scaleOut.load.ts'

const number = (name: string, usual: number): number => Number(process.env[name] ?? usual)
const marketsMax = number('BENCH_MARKETS', 300)
const sockets = number('BENCH_SOCKETS', 60)
const gatewaysMax = number('BENCH_GATEWAYS', 3)
const books = number('BENCH_BOOKS', 40_000)
const perSecond = number('BENCH_RATE', 2_000)
const stepMs = 10
const epoch = 1

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
/** CPU time of a process so far, ms. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
const memoryMb = (pid: number): number =>
  Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024)
const brokerPid = (): number =>
  Number(
    execFileSync('pgrep', ['-P', String(process.pid), 'java'], { encoding: 'utf8' })
      .trim()
      .split('\n')[0],
  )

const home = mkdtempSync(join(tmpdir(), 'crossbook-scale-'))
const [lab, kafka, postgres, clickhouse] = await Promise.all([
  startLab({ seed: 'scale', ratePerSecond: 0.1, markets: marketsMax }),
  startKafka(),
  startPostgres(),
  startClickhouse(),
])
const pool = createPool({ url: postgres.url, log: silentLog })
await migrate(pool, silentLog)
const { apiKey } = await createKey(pool, { account: 'scale', plan: 'enterprise', scopes: ['read'] })
await pool.end()
const env = {
  PORT: '0',
  LOG_LEVEL: 'warn',
  DATABASE_URL: postgres.url,
  CLICKHOUSE_URL: clickhouse.url,
  KAFKA_BROKERS: kafka.brokers.join(','),
  ...labEnvironment(lab),
}
const start = async (name: string, roles: string): Promise<RoleProcess> => {
  const started = roleProcess({ name, roles, env, dataDir: join(home, name), readyDeadlineMs: 120_000 })
  await started.start()
  return started
}
const markets = labVenues.flatMap((venue) =>
  openMarkets(lab, venue)
    .slice(0, marketsMax)
    .map((marketId) => ({ venue, marketId })),
)

/** Replaces ingest, so that every spread gets the same input. */
const bus = await createKafkaBus({ brokers: kafka.brokers, clientId: 'publisher', clock: systemClock, log: silentLog })
const beats = setInterval(() => {
  for (const venue of labVenues) bus.publish('health', venue, healthOf(systemClock, venue, { epoch }))
}, healthMs)
const demands = new Map<string, Demand>()
let inboxes = new Map<string, number[]>()
await bus.subscribe('demand', (demand) => {
  demands.set(`${demand.gatewayId} ${demand.venue}`, demand)
  inboxes = new Map()
})
function inboxesOf(venue: string, marketId: string): number[] {
  const key = `${venue}:${marketId}`
  const known = inboxes.get(key)
  if (known !== undefined) return known
  const found = [...demands.values()].flatMap((demand) =>
    demand.venue === venue && demand.inbox !== undefined && demand.marketIds.includes(marketId) ? [demand.inbox] : [],
  )
  inboxes.set(key, found)
  return found
}
let seq = 0
const book = createBook(10_000)
for (let level = 1; level <= 10; level++) {
  book.set(0, 500_000 - level * 10_000, 100 + level)
  book.set(1, 500_000 + level * 10_000, 100 + level)
}
function publish({ venue, marketId }: (typeof markets)[number]): void {
  seq++
  book.set(0, 490_000, seq)
  const now = Date.now()
  const core = encodeCore(book, now)
  const update = { venue, marketId, state: 'live', seq, epoch, eventTs: now, recvTs: now, core } as const
  bus.publish('books', `${venue}:${marketId}`, { ...update, lastTradeMicros: null }, inboxesOf(venue, marketId))
}

const request = (child: ChildProcess, order: unknown): Promise<unknown> =>
  new Promise((resolve) => {
    child.once('message', resolve)
    child.send(order as ScaleOrder[])
  })

async function measure(spread: readonly RoleProcess[], idle: readonly RoleProcess[], count: number): Promise<void> {
  const load = fork(fileURLToPath(new URL('./scaleOut.load.ts', import.meta.url)), { stdio: 'inherit' })
  const orders: ScaleOrder[] = spread.map(({ stream }, i) => ({
    ...{ stream, apiKey, sockets: sockets / spread.length },
    markets: markets.filter((_market, n) => n % spread.length === i),
  }))
  if (spread.length > 0) await request(load, orders)
  await pause(3_000)
  const measured: [string, number][] = [
    ['broker', brokerPid()],
    ['publisher', process.pid],
    ...[...spread, ...idle].map(({ name, pid }): [string, number] => [name, pid!]),
  ]
  const framesBefore = (await request(load, 'count')) as number
  const before = measured.map(([, pid]) => cpuMs(pid))
  const from = performance.now()
  for (let sent = 0; sent < count; ) {
    const due = Math.min(count, Math.floor(((performance.now() - from) * perSecond) / 1_000), sent + perSecond / 10)
    while (sent < due) publish(markets[sent++ % markets.length]!)
    await pause(stepMs)
  }
  if (count === 0) await pause((books / perSecond) * 1_000)
  let frames = -1
  for (let seen = 0; seen !== frames; await pause(2_000)) {
    frames = seen
    seen = ((await request(load, 'count')) as number) - framesBefore
  }
  const seconds = (performance.now() - from) / 1_000
  const costs = measured.map(([name, pid], i) => `${name} ${cpuMs(pid) - before[i]!} (${memoryMb(pid)} MB)`)
  process.stdout.write(
    `${spread.length} with readers, ${idle.length} without: ${count} books, ${frames} frames in ${seconds.toFixed(1)} s; ms of CPU: ${costs.join(', ')}\n`,
  )
  await request(load, 'close')
  load.kill()
  await pause(1_000)
}

const gateways: RoleProcess[] = []
try {
  const jobs = await start('jobs', 'jobs')
  await pause(3_000)
  await jobs.stop()
  process.stdout.write(`${markets.length} markets, ${sockets} sockets\n`)
  for (let count = 1; count <= gatewaysMax; count++) {
    gateways.push(await start(`gateway-${count}`, 'gateway'))
    if (count === 1) await measure([], gateways, 0)
    await measure(gateways, [], books)
    if (count === 2) await measure(gateways.slice(0, 1), gateways.slice(1), books)
  }
} finally {
  clearInterval(beats)
  await Promise.allSettled(gateways.map((gateway) => gateway.stop()))
  await bus.close()
  await Promise.allSettled([lab.stop(), kafka.stop(), postgres.stop(), clickhouse.stop()])
  rmSync(home, { recursive: true, force: true })
}
process.exit(0)
