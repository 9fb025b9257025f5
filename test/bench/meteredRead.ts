// A read of a live book through the real gateway: with key, rate limit and credits, compared with the same read without them. The servers
// share one process whose CPU time is the figure; their rounds alternate. Clients send the next request after each response: a single
// client, and as many as share the cost of one event-loop iteration, so that the cost of metering is more visible.
import { type ChildProcess, fork } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startTestPostgres } from '../support/postgres.ts'
import { programOptions } from '../support/programOptions.ts'
import { type Bench, type BenchResult, costResult, fullOrShort, median } from './bench.ts'
import type { MeteredServerReport } from './meteredRead.server.ts'

const kinds = ['metered', 'plain'] as const
const readsPerRound = fullOrShort(2_000, 64)
const rounds = fullOrShort(60, 2)
/** Rounds that do not count: until code is compiled and leases have grown to this rate. */
const warmUp = fullOrShort(20, 1)

function next(child: ChildProcess): Promise<MeteredServerReport> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the server ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message as MeteredServerReport)
    })
  })
}

/** Every response must be a 200, and state its charge where it is charged. */
function readAll(socket: Socket, request: Buffer, reads: number, charged: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = reads
    let pending = ''
    const end = (error?: Error): void => {
      socket.off('data', take)
      if (error) reject(error)
      else resolve()
    }
    const take = (chunk: Buffer): void => {
      pending += chunk.toString('latin1')
      const head = pending.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/content-length: (\d+)/i.exec(pending)?.[1])
      if (pending.length < head + 4 + length) return
      const good = pending.startsWith('HTTP/1.1 200') && pending.includes('x-credits-charged: 1') === charged
      const bad = good ? undefined : new Error(pending.slice(0, 400))
      pending = ''
      if (bad !== undefined || --left === 0) end(bad)
      else socket.write(request)
    }
    socket.on('data', take)
    socket.write(request)
  })
}

/**
 * Waking a sleeping process on the same machine costs the server more than its response, and a slower server lets its clients sleep more
 * often. Remote clients would not be woken by the server, so these clients poll instead of sleeping.
 */
function stayAwake(): () => void {
  let over = false
  const again = (): void => {
    if (!over) setImmediate(again)
  }
  again()
  return () => {
    over = true
  }
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })

async function run() {
  const postgres = await startTestPostgres()
  const server = fork(
    fileURLToPath(new URL('meteredRead.server.ts', import.meta.url)),
    [await postgres.createDatabase()],
    { execArgv: [...programOptions] },
  )
  const ended = new Promise((resolve) => server.once('exit', resolve))
  try {
    const { ports, key, path } = await next(server)
    const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`)
    const cpu = async (): Promise<number> => {
      const answer = next(server)
      server.send('cpu')
      return (await answer).cpuUs!
    }
    const results: BenchResult[] = []
    for (const count of [1, 32]) {
      const many = (port: number) => Promise.all(Array.from({ length: count }, () => open(port)))
      const clients = { metered: await many(ports!.metered), plain: await many(ports!.plain) }
      const costs: Record<(typeof kinds)[number], number[]> = { metered: [], plain: [] }
      const reads = Math.ceil(readsPerRound / count)
      for (let round = 0; round < rounds + warmUp; round++) {
        // The second to run finds a warmer machine: they alternate in that, too.
        for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
          await cpu()
          const done = stayAwake()
          await Promise.all(clients[kind].map((client) => readAll(client, request, reads, kind === 'metered')))
          done()
          const perRead = (await cpu()) / (reads * count)
          if (round >= warmUp) costs[kind].push(perRead)
        }
      }
      for (const socket of Object.values(clients).flat()) socket.destroy()
      results.push(
        costResult(
          'meteredRead',
          `CPU per read with key, rate limit and credits, ${count === 1 ? 'one client' : `${count} clients at once`}`,
          'us',
          median(costs.metered),
          'the same read without them',
          median(costs.plain),
        ),
      )
    }
    return results
  } finally {
    if (server.connected) server.disconnect()
    await ended
    await postgres.stop()
  }
}

export const benches: readonly Bench[] = [{ name: 'meteredRead', run }]
