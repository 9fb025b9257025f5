// The only access to ClickHouse: a server by URL, or the embedded engine in its own process behind the same HTTP interface. One code
// path.
import { Readable } from 'node:stream'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { Deduplicator, type InsertTarget } from './deduplication.ts'
import { spawnEngine } from './engine/spawn.ts'
import { migrateTape } from './migrate.ts'

export type SqlParameter = string | number | readonly string[] | readonly number[]
export type SqlParameters = Readonly<Record<string, SqlParameter>>

export interface TapeStore {
  url: string
  /** Bytes as the engine prints them. Rejects when the statement fails; iteration throws when the connection breaks midway. */
  stream(sql: string, parameters?: SqlParameters, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  /** The same for a statement that may run for minutes before its first byte: a file of many rows. */
  file(sql: string, parameters?: SqlParameters, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  /** For small answers; `sql` ends in `FORMAT JSONEachRow`. */
  rows<T>(sql: string, parameters?: SqlParameters, signal?: AbortSignal): Promise<T[]>
  command(sql: string): Promise<void>
  /**
   * Rows in the target's format. Repeating a token repeats the same insert and changes nothing. `repeated`: another process tried it before;
   * failures in this process are already known.
   */
  insert(target: InsertTarget, rows: Buffer, token: string, repeated?: boolean): Promise<void>
  ping(): Promise<boolean>
  /** Process id of the embedded engine, null with a server. */
  enginePid(): number | null
  close(): Promise<void>
}

export interface OpenTapeOptions {
  /** CLICKHOUSE_URL, including user, password and database if needed. Absent: the embedded engine. */
  url?: string
  /** The embedded engine's `tape` directory is in here. */
  dataDir: string
  clock?: Clock
  log?: Log
  /** A server that does not answer for this long is down. */
  requestTimeoutMs?: number
}

/** Concurrent replays per process that need not wait for a connection. */
const connectionsMax = 32
const requestTimeoutMsDefault = 30_000
/** For statements that make a file. */
const fileTimeoutMs = 15 * 60_000

/** Opens the store and migrates its tables. */
export async function openTape(options: OpenTapeOptions): Promise<TapeStore> {
  const store = await connectTape(options)
  try {
    await migrateTape(store)
  } catch (error) {
    await store.close()
    throw error
  }
  return store
}

/** Opens the store without migrating. The first statement reveals whether the server is down. */
export async function connectTape(options: OpenTapeOptions): Promise<TapeStore> {
  const { url, dataDir, clock, log, requestTimeoutMs = requestTimeoutMsDefault } = options
  if (url !== undefined) return connect(url, {}, requestTimeoutMs, null)
  const engine = await spawnEngine({ path: `${dataDir}/tape`, clock, log })
  return connect(engine.url, { password: engine.password }, requestTimeoutMs, engine)
}

function connect(
  url: string,
  credentials: { password?: string },
  requestTimeoutMs: number,
  engine: { pid(): number | undefined; stop(): Promise<void> } | null,
): TapeStore {
  const driver = (timeoutMs: number, connections: number) =>
    createClient({
      url,
      ...credentials,
      request_timeout: timeoutMs,
      max_open_connections: connections,
      compression: { request: false, response: false },
      application: 'crossbook',
      // Failures are thrown to the caller, who logs them; the driver would log them again.
      log: { level: ClickHouseLogLevel.OFF },
    })
  const client = driver(requestTimeoutMs, connectionsMax)
  const repeats = new Deduplicator({ put, typesOf })
  /** Opened when files are made. */
  let patient: ReturnType<typeof createClient> | undefined
  let closing: Promise<void> | undefined

  async function open(sql: string, parameters?: SqlParameters, signal?: AbortSignal): Promise<Readable> {
    const { stream } = await client.exec({ query: sql, query_params: parameters, abort_signal: signal })
    return endsWith(signal, stream)
  }

  async function put(sql: string, rows: Buffer, token: string): Promise<void> {
    const answer = await client.exec({
      query: sql,
      // A server refuses a query whose id is running. So a retry waits for an earlier try that is still running there: its token is recorded
      // shortly before its rows are visible, and the retry would add them as missing.
      query_id: token,
      values: Readable.from([rows], { objectMode: false }),
      clickhouse_settings: {
        insert_deduplication_token: token,
        // A repeated insert must reach the views too: the first try may have died between table and view.
        deduplicate_blocks_in_dependent_materialized_views: 1,
        // An acknowledgement means: on the tape. And the token identifies one block, not the server's own batch.
        async_insert: 0,
        max_partitions_per_insert_block: '0',
        // Also matches rows that contain a null.
        transform_null_in: 1,
      },
    })
    answer.stream.resume()
    await finished(answer.stream)
  }

  async function rows<T>(sql: string, parameters?: SqlParameters, signal?: AbortSignal): Promise<T[]> {
    const chunks: Uint8Array[] = []
    for await (const chunk of await open(sql, parameters, signal)) chunks.push(chunk as Uint8Array)
    const text = Buffer.concat(chunks).toString()
    return text === ''
      ? []
      : text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as T)
  }

  async function typesOf(table: string): Promise<Map<string, string>> {
    const columns = await rows<{ name: string; type: string }>(
      'SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = {table:String} FORMAT JSONEachRow',
      { table },
    )
    return new Map(columns.map(({ name, type }) => [name, type]))
  }

  return {
    url,
    stream: open,
    async file(sql, parameters, signal) {
      patient ??= driver(fileTimeoutMs, 1)
      const { stream } = await patient.exec({ query: sql, query_params: parameters, abort_signal: signal })
      return endsWith(signal, stream)
    },
    rows,
    async command(sql) {
      await client.command({ query: sql })
    },
    insert: (target, rows, token, repeated) => repeats.insert(target, rows, token, repeated),
    async ping() {
      return (await client.ping()).success
    },
    enginePid: () => engine?.pid() ?? null,
    close() {
      closing ??= Promise.all([client.close(), patient?.close()]).then(() => engine?.stop())
      return closing
    },
  }
}

/** The driver forgets the signal once the answer has started; an unread answer would hold its connection. */
function endsWith(signal: AbortSignal | undefined, stream: Readable): Readable {
  if (signal === undefined) return stream
  const end = (): void => void stream.destroy()
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  stream.once('close', () => signal.removeEventListener('abort', end))
  return stream
}

function finished(stream: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    if (stream.readableEnded) resolve()
    stream.once('end', resolve)
    stream.once('error', reject)
    stream.once('close', () => reject(new Error('the connection closed before the insert was acknowledged')))
  })
}
