// The ClickHouse HTTP interface over the embedded engine, as far as @clickhouse/client and curl use it: POST and GET queries,
// `param_…`, `database`, settings in the query string, inserts with a body in any format, streamed answers, /ping.
//
//   request ─► authenticate ─► statement (query= and body) ─┬─ reading        ─► engine stream ─► chunks
//                                                           ├─ a whole file   ─► INSERT INTO file ─► chunks of it
//                                                           ├─ insert + body  ─► file ─► INSERT FROM INFILE
//                                                           └─ anything else  ─► one call
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Session } from 'chdb'
import { defaultDatabase, openSessions, type SessionPool } from './sessions.ts'
import {
  bindParameters,
  errorCodeOf,
  insertFromFile,
  isEngineSetting,
  isStreamable,
  SqlError,
  selectIntoFile,
  settingsText,
  withSettings,
} from './sql.ts'

export interface EngineServerOptions {
  /** Directory of the engine; created if absent. One process at a time. */
  path: string
  /** 0 takes a free port. Loopback only. */
  port: number
  /** Empty: no password is required. */
  password: string
}

export interface EngineServer {
  port: number
  /** Cuts connections, lets running statements end, then releases the directory. */
  close(): Promise<void>
}

/** Longest statement text read from a body, bytes. Rows of an insert are not part of it. */
const statementBytesMax = 8 * 1024 * 1024
/** Parameters travel in the URL; a ClickHouse server accepts the same length. */
const addressBytesMax = 1024 * 1024
/** Longer than any client keeps an idle socket, so that the client closes first and no request meets a closing socket. */
const keepAliveMs = 30_000

const reservedParameters = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'user',
  'password',
  'role',
  'session_id',
])

interface Statement {
  sql: string
  settings: string
  format: string
}

export async function startEngineServer({ path, port, password }: EngineServerOptions): Promise<EngineServer> {
  const incoming = join(path, 'incoming')
  await rm(incoming, { recursive: true, force: true })
  await mkdir(incoming, { recursive: true })
  const sessions = openSessions(join(path, 'engine'))
  const running = new Set<string>()
  const server = createServer(
    { keepAliveTimeout: keepAliveMs, maxHeaderSize: addressBytesMax },
    (request, response) => {
      answer(request, response, { sessions, incoming, password, running }).catch((error: unknown) =>
        fail(response, error),
      )
    },
  )
  await listen(server, port)
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      // Clients that still wait ended with the owner, or retry another server.
      server.closeAllConnections()
      await closed
      await sessions.close()
    },
  }
}

interface Context {
  sessions: SessionPool
  incoming: string
  password: string
  /** Ids of the queries that run now. */
  running: Set<string>
}

/** Connections whose current database is the request's. */
type Connections = <T>(run: (session: Session) => Promise<T>) => Promise<T>

async function answer(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://engine')
  if (url.pathname === '/ping' || url.pathname === '/replicas_status') {
    response.end('Ok.\n')
    return
  }
  authenticate(request, url, context.password)
  const id = url.searchParams.get('query_id') || randomUUID()
  response.setHeader('X-ClickHouse-Query-Id', encodeURI(id))
  response.setHeader('X-ClickHouse-Server-Display-Name', 'embedded')
  const inUrl = url.searchParams.get('query')
  const { parameters, settings } = readParameters(url)
  const format = url.searchParams.get('default_format') ?? 'TabSeparated'
  const database = url.searchParams.get('database') || defaultDatabase
  const connections: Connections = (run) => exclusively(context.running, id, () => context.sessions.with(database, run))
  const body = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request
  if (inUrl !== null && /^\s*INSERT\b/i.test(inUrl)) {
    const sql = bindParameters(inUrl, parameters)
    await insertBody(body, response, { connections, incoming: context.incoming, sql, settings: settingsText(settings) })
    return
  }
  const text = await readText(body)
  const sql = bindParameters(inUrl === null ? text : `${inUrl}\n${text}`, parameters)
  const statement: Statement = { sql, settings: settingsText(settings), format }
  const file = join(context.incoming, randomUUID())
  const whole = selectIntoFile(sql, file, statement.settings)
  if (whole !== null) await sendFile(whole, file, response, connections)
  else if (isStreamable(sql)) await streamRows(statement, response, connections)
  else await runOnce(statement, response, connections)
}

async function exclusively<T>(running: Set<string>, id: string, run: () => Promise<T>): Promise<T> {
  if (running.has(id))
    throw new SqlError(216, `Query with id = ${id} is already running.`, 'QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING')
  running.add(id)
  try {
    return await run()
  } finally {
    running.delete(id)
  }
}

function authenticate(request: IncomingMessage, url: URL, password: string): void {
  if (password === '') return
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  const given =
    basic === undefined
      ? (request.headers['x-clickhouse-key'] ?? url.searchParams.get('password') ?? '')
      : Buffer.from(basic, 'base64')
          .toString()
          .replace(/^[^:]*:/, '')
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(String(given)), digest(password))) {
    throw new SqlError(516, 'default: Authentication failed: password is incorrect', 'AUTHENTICATION_FAILED')
  }
}

function readParameters(url: URL): { parameters: Map<string, string>; settings: Map<string, string> } {
  const parameters = new Map<string, string>()
  const settings = new Map<string, string>()
  for (const [name, value] of url.searchParams) {
    if (name.startsWith('param_')) parameters.set(name.slice('param_'.length), value)
    else if (!reservedParameters.has(name) && isEngineSetting(name)) settings.set(name, value)
  }
  return { parameters, settings }
}

async function readText(body: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length
    if (bytes > statementBytesMax) throw new SqlError(62, 'The statement is too long', 'SYNTAX_ERROR')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString()
}

/** The engine reads binary rows from a file only: inside a statement they end at the first empty line. */
async function insertBody(
  body: NodeJS.ReadableStream,
  response: ServerResponse,
  {
    connections,
    incoming,
    sql,
    settings,
  }: { connections: Connections; incoming: string; sql: string; settings: string },
): Promise<void> {
  const file = join(incoming, randomUUID())
  try {
    const sink = createWriteStream(file)
    await pipeline(body, sink)
    const statement = insertFromFile(sql, file, settings)
    // An insert without rows succeeds, as on a server; `INSERT … SELECT` and `INSERT … VALUES` carry their rows in the
    // text.
    if (statement === null || sink.bytesWritten > 0) {
      await connections((session) => session.queryAsync(statement ?? sql, { format: 'TabSeparated' }))
    }
    response.end()
  } finally {
    await rm(file, { force: true })
  }
}

async function runOnce({ sql, settings, format }: Statement, response: ServerResponse, connections: Connections) {
  const result = await connections((session) => session.queryAsync(withSettings(sql, settings), { format }))
  response.end(result.bytes())
}

async function streamRows({ sql, settings, format }: Statement, response: ServerResponse, connections: Connections) {
  await connections(async (session) => {
    const stream = session.queryStream(withSettings(sql, settings), { format })
    try {
      for await (const chunk of stream) {
        if (response.destroyed) return
        if (!response.write(chunk.raw())) await writable(response)
      }
      response.end()
    } finally {
      stream.cancel()
    }
  })
}

async function sendFile(sql: string, file: string, response: ServerResponse, connections: Connections): Promise<void> {
  try {
    await connections((session) => session.queryAsync(sql, { format: 'TabSeparated' }))
    await pipeline(createReadStream(file), response)
  } finally {
    await rm(file, { force: true })
  }
}

/** Resolves when the socket accepts more, or is closed. */
function writable(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      response.off('drain', settle)
      response.off('close', settle)
      resolve()
    }
    response.on('drain', settle)
    response.on('close', settle)
    if (response.destroyed) settle()
  })
}

/** After the first byte only a broken connection shows the reader that rows are missing. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const message = error instanceof Error ? error.message : String(error)
  const code = errorCodeOf(message)
  response.writeHead(code === 516 ? 403 : 500, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Exception-Code': String(code),
    Connection: 'close',
  })
  response.end(`${message}\n`)
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}
