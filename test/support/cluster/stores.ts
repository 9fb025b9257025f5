// Stores of a cluster that can be stopped for as long as a test wants and come back on the same address with their data.
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '#core/log'
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from '#storage/postgres/embedded'
import { startClickhouseServer } from '../clickhouseHttpServer.ts'
import { freePort } from '../freePort.ts'

export interface TestStore {
  /** Unchanged across `down` and `up`. */
  url: string
  down(): Promise<void>
  up(): Promise<void>
  stop(): Promise<void>
}

/** `down` is kill -9. `database` exists from the start, in addition to `default`. */
export async function startClickhouse({ database }: { database?: string } = {}): Promise<TestStore & { dir: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'crossbook-cluster-clickhouse-'))
  let server: Awaited<ReturnType<typeof startClickhouseServer>> | null = await startClickhouseServer({ dir, database })
  const { url } = server
  const port = Number(new URL(url).port)
  const down = async (): Promise<void> => {
    const stopping = server
    server = null
    if (stopping === null) return
    stopping.kill()
    // Stops in the same turn of the event loop, so that it is not restarted.
    await stopping.stop()
  }
  return {
    url,
    dir,
    down,
    async up() {
      server ??= await startClickhouseServer({ dir, port })
    },
    async stop() {
      await server?.stop()
      server = null
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** The embedded server takes a new port with every start; a listener in front of it keeps the address. */
export async function startPostgres(programs?: EmbeddedPostgresOptions['programs']): Promise<TestStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'crossbook-cluster-postgres-'))
  const open = (): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({
      dataDir,
      log: silentLog,
      settings: { fsync: 'off', max_connections: '100' },
      ...(programs === undefined ? {} : { programs }),
    })
  let server: EmbeddedPostgres | null = await open()
  const listener = createListener(() => Number(new URL(server!.url).port))
  const port = await listener.open(await freePort())
  const url = server.url.replace(/:\d+\//, `:${port}/`)
  const down = async (): Promise<void> => {
    await listener.close()
    await server?.stop()
    server = null
  }
  return {
    url,
    down,
    async up() {
      server ??= await open()
      await listener.open(port)
    },
    async stop() {
      await down()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Forwards TCP to another port. When closed, it refuses and cuts all connections, like a dead server does. */
function createListener(target: () => number) {
  const sockets = new Set<Socket>()
  let server: ReturnType<typeof createServer> | null = null
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  return {
    open(port: number): Promise<number> {
      const opening = createServer((inside) => {
        const outside = dial({ port: target(), host: '127.0.0.1' })
        keep(inside)
        keep(outside)
        inside.pipe(outside)
        outside.pipe(inside)
        inside.on('close', () => outside.destroy())
        outside.on('close', () => inside.destroy())
      })
      server = opening
      return new Promise((resolve, reject) => {
        opening.once('error', reject)
        opening.listen(port, '127.0.0.1', () => resolve((opening.address() as AddressInfo).port))
      })
    },
    async close(): Promise<void> {
      const closing = server
      server = null
      if (closing === null) return
      const closed = new Promise<void>((resolve) => closing.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
