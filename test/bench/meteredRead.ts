// A read of a live book through the real gateway: with key, rate limit and credits beside the same read without them. The servers stand in
// one process whose CPU time is the figure; their rounds take turns. Reads come in waves at a fixed pace, so that both are asked alike: in a
// closed loop the slower server finds its client asleep more often and pays for waking it.
import { type ChildProcess, fork } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startTestPostgres } from '../support/postgres.ts'
import { type Bench, costResult, median } from './bench.ts'
import type { MeteredServerReport } from './meteredRead.server.ts'

const sockets = 32
const wavesPerRound = 400
const pauseMs = 1
const rounds = 12

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

/** The answer must be a 200, and say what it cost where it costs. */
function read(socket: Socket, request: Buffer, charged: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let pending = ''
    const take = (chunk: Buffer): void => {
      pending += chunk.toString('latin1')
      const head = pending.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/content-length: (\d+)/i.exec(pending)?.[1])
      if (pending.length < head + 4 + length) return
      const good = pending.startsWith('HTTP/1.1 200') && pending.includes('x-credits-charged: 1') === charged
      socket.off('data', take)
      if (good) resolve()
      else reject(new Error(pending.slice(0, 400)))
    }
    socket.on('data', take)
    socket.write(request)
  })
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })

async function run() {
  const postgres = await startTestPostgres()
  const server = fork(fileURLToPath(new URL('meteredRead.server.ts', import.meta.url)), [
    await postgres.createDatabase(),
  ])
  const all: Socket[] = []
  try {
    const { ports, key, path } = await next(server)
    const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`)
    const cpu = async (): Promise<number> => {
      const answer = next(server)
      server.send('cpu')
      return (await answer).cpuUs!
    }
    const kinds = ['metered', 'plain'] as const
    const clients = new Map<string, Socket[]>()
    for (const kind of kinds) {
      const opened = await Promise.all(Array.from({ length: sockets }, () => open(ports![kind])))
      clients.set(kind, opened)
      all.push(...opened)
    }
    const costs: Record<(typeof kinds)[number], number[]> = { metered: [], plain: [] }
    for (let round = 0; round <= rounds; round++) {
      // Who comes second finds the machine warmer: they take turns in that, too.
      for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
        await cpu()
        for (let wave = 0; wave < wavesPerRound; wave++) {
          await Promise.all(clients.get(kind)!.map((socket) => read(socket, request, kind === 'metered')))
          await new Promise((resolve) => setTimeout(resolve, pauseMs))
        }
        const perRead = (await cpu()) / (wavesPerRound * sockets)
        // The first round only warms up.
        if (round > 0) costs[kind].push(perRead)
      }
    }
    return [
      costResult(
        'meteredRead',
        'CPU per read with key, rate limit and credits',
        'us',
        median(costs.metered),
        'the same read without them',
        median(costs.plain),
      ),
    ]
  } finally {
    for (const socket of all) socket.destroy()
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.disconnect()
    await ended
    await postgres.stop()
  }
}

export const benches: readonly Bench[] = [{ name: 'meteredRead', run }]
