// A ClickHouse server by URL for machines without one: the embedded engine behind the ClickHouse HTTP interface, in its own process.
// Several processes may use it at once through @clickhouse/client. Also a command:
//
//   node test/support/clickhouseHttpServer.ts [--port 8123] [--dir .data/clickhouse] [--database crossbook]
//   → {"clickhouse":"http://127.0.0.1:8123","pid":4711}
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Log } from '#core/log'
import { spawnEngine } from '#storage/clickhouse/engine/spawn'
import { quoteName } from '#storage/clickhouse/engine/sql'
import { freePort } from './freePort.ts'

export interface ClickhouseServer {
  url: string
  /** Of the process that holds the data now. */
  pid(): number
  /** SIGKILL; the server comes back by itself on the same port with what it had acknowledged. */
  kill(): void
  stop(): Promise<void>
}

export interface ClickhouseServerOptions {
  /** Default: a free one. */
  port?: number
  /** Absent: the data is in a temporary directory and is deleted with the server. */
  dir?: string
  /** Created if it does not exist. */
  database?: string | undefined
  /** Reports when the engine ended and is restarted. */
  log?: Log
}

export async function startClickhouseServer(options: ClickhouseServerOptions = {}): Promise<ClickhouseServer> {
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'crossbook-clickhouse-')))
  const engine = await spawnEngine({
    path: dir,
    port: options.port ?? (await freePort()),
    password: '',
    log: options.log,
  })
  try {
    if (options.database !== undefined) await createDatabase(engine.url, options.database)
  } catch (error) {
    await engine.stop()
    throw error
  }
  return {
    url: engine.url,
    pid: () => engine.pid() ?? 0,
    kill() {
      process.kill(engine.pid() ?? 0, 'SIGKILL')
    },
    async stop() {
      await engine.stop()
      if (options.dir === undefined) await rm(dir, { recursive: true, force: true })
    },
  }
}

async function createDatabase(url: string, name: string): Promise<void> {
  const response = await fetch(url, { method: 'POST', body: `CREATE DATABASE IF NOT EXISTS ${quoteName(name)}` })
  const text = await response.text()
  if (!response.ok) throw new Error(`the database ${name} could not be created: ${text}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, dir: { type: 'string' }, database: { type: 'string' } },
  })
  const server = await startClickhouseServer({
    ...(values.port === undefined ? {} : { port: Number(values.port) }),
    ...(values.dir === undefined ? {} : { dir: values.dir }),
    ...(values.database === undefined ? {} : { database: values.database }),
  })
  process.stdout.write(`${JSON.stringify({ clickhouse: server.url, pid: server.pid() })}\n`)
  const stop = () => void server.stop().then(() => process.exit(0))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}
