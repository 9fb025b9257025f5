// Fan-out of ~0.9 KB frames to 1,000 sockets, and cached HTTP reads with a key check: our gateway compared with `ws`, plain uWebSockets.js
// and fastify. Each server is a process of its own; figures are its CPU time, without the clients'.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { programOptions } from '../support/programOptions.ts'
import { type Bench, type BenchResult, costResult, figure, fullOrShort, median } from './bench.ts'
import type { LoadOrder, LoadReport } from './fanout.load.ts'
import type { ServerKind, ServerOrder, ServerReport } from './fanout.server.ts'

/** A multiple of a hundred: so many are opened at once. */
const sockets = fullOrShort(1_000, 100)
const ticks = fullOrShort(40, 5)
const rounds = fullOrShort(5, 1)
const settleMs = fullOrShort(300, 200)

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** The child's next message; rejects when the child exits instead. */
function next<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`${child.spawnargs.slice(1).join(' ')} ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message as T)
    })
  })
}

async function request<T>(child: ChildProcess, order: LoadOrder | ServerOrder): Promise<T> {
  const answer = next<T>(child)
  child.send(order)
  return answer
}

/** Runs with one server and one load process; both are killed afterwards. */
async function withServerAndLoad<T>(
  kind: ServerKind,
  run: (server: ChildProcess, load: ChildProcess, hello: ServerReport) => Promise<T>,
): Promise<T> {
  const execArgv = kind === 'gateway' || kind === 'hub' ? [...programOptions] : []
  const server = fork(path('fanout.server.ts'), [kind], { execArgv })
  const load = fork(path('fanout.load.ts'))
  try {
    return await run(server, load, await next<ServerReport>(server))
  } finally {
    server.kill('SIGKILL')
    load.kill('SIGKILL')
  }
}

/** Counts until no more frames arrive. */
async function settled(load: ChildProcess): Promise<number> {
  let total = 0
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    const { frames = 0 } = await request<LoadReport>(load, { kind: 'count' })
    if (frames === 0) return total
    total += frames
  }
}

/**
 * CPU microseconds per delivered frame of each server. Their rounds alternate, so that other load on the machine affects all alike. Every
 * frame must have arrived; otherwise a server that loses frames would look better.
 */
async function streamCosts<K extends ServerKind>(
  kinds: readonly K[],
  framesPerTick: number,
): Promise<Record<K, number>> {
  const costs = Object.fromEntries(kinds.map((kind) => [kind, [] as number[]])) as Record<K, number[]>
  const measure = (left: readonly K[], rounds: readonly (() => Promise<void>)[]): Promise<void> => {
    const [kind, ...others] = left
    if (kind === undefined) return inTurn(rounds)
    return withServerAndLoad(kind, async (server, load, { port }) => {
      // Subscribes only to books that are published: the stream sends a notice for a book that never comes.
      await request<LoadReport>(load, { kind: 'stream', port: port!, sockets, markets: framesPerTick })
      await settled(load)
      const round = async () => {
        const order: ServerOrder = { kind: 'run', ticks, framesPerTick, pauseMs: framesPerTick * 3 + 5 }
        const { cpuUs = Number.NaN } = await request<ServerReport>(server, order)
        const frames = await settled(load)
        const expected = ticks * framesPerTick * sockets
        if (frames !== expected) throw new Error(`${kind}: ${frames} of ${expected} frames arrived`)
        costs[kind].push(cpuUs / frames)
      }
      await measure(others, [...rounds, round])
    })
  }
  await measure(kinds, [])
  // The first round warms up.
  return Object.fromEntries(kinds.map((kind) => [kind, median(costs[kind].slice(1))])) as Record<K, number>
}

async function inTurn(runs: readonly (() => Promise<void>)[]): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    for (const run of runs) await run()
  }
}

const fanout = (framesPerTick: number): Bench => ({
  name: `fanout.${framesPerTick}`,
  async run(): Promise<BenchResult[]> {
    const name = `fanout.${framesPerTick}`
    const what = `CPU per 0.9 KB frame, ${sockets} sockets, ${framesPerTick} frames a tick`
    const { hub, ws, uws } = await streamCosts(['hub', 'ws', 'uws'], framesPerTick)
    return [
      costResult(name, what, 'us', hub, 'ws', ws),
      costResult(name, what, 'us', hub, 'uWebSockets.js corked sends', uws),
      figure(name, 'delivered frames per second of one core', 'frames/s', 1e6 / hub),
    ]
  },
})

const requests = fullOrShort(60_000, 640)

const httpCost = (kind: ServerKind): Promise<number> =>
  withServerAndLoad(kind, async (server, load, { port, key }) => {
    const costs: number[] = []
    for (let round = 0; round <= rounds; round++) {
      await request<ServerReport>(server, { kind: 'cpu' })
      await request<LoadReport>(load, { kind: 'http', port: port!, key: key!, sockets: 64, requests })
      const { cpuUs = Number.NaN } = await request<ServerReport>(server, { kind: 'cpu' })
      if (round > 0) costs.push(cpuUs / requests)
    }
    return median(costs)
  })

const httpRead: Bench = {
  name: 'http.read',
  async run(): Promise<BenchResult[]> {
    const gateway = await httpCost('gateway')
    const peer = await httpCost('fastify')
    return [
      costResult(
        'http.read',
        'CPU per cached 1 KB read with key check',
        'us',
        gateway,
        'fastify, same bytes and check',
        peer,
      ),
      figure('http.read', 'requests per second of one core', 'req/s', 1e6 / gateway),
    ]
  },
}

export const benches: Bench[] = [fanout(10), fanout(1), httpRead]
