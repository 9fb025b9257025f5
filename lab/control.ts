// The control port: faults over HTTP, for clients outside this process.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ZodError, z } from 'zod'
import type { CounterSnapshot } from './counters.ts'
import { FaultRequest } from './faultCommands.ts'
import type { Faults } from './faults.ts'

export interface ControlledVenue {
  urls: Readonly<Record<string, string>>
  faults: Faults
  counters(): CounterSnapshot
  engine: { steps: number }
  /** Opens an account that the venue's operator would issue by hand: keys and related values. Throws for unreadable input. */
  openAccount?(request: unknown): object
}

const AccountRequest = z.looseObject({ venue: z.string() })

const BODY_MAX_BYTES = 64 * 1024

/**
 * `POST /lab/faults` {venue, kind, …options} · `POST /lab/recover` {venue?} · `POST /lab/accounts` {venue, …} · `GET /lab/state`.
 * Answers 400 with the reason for anything else.
 */
export async function startControl(
  venues: Readonly<Record<string, ControlledVenue>>,
  port: number,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    handle(request, venues)
      .then((body) => reply(response, body === null ? 404 : 200, body ?? { error: 'not found' }))
      .catch((error: unknown) => reply(response, 400, { error: reason(error) }))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const done = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await done
    },
  }
}

async function handle(request: IncomingMessage, venues: Readonly<Record<string, ControlledVenue>>): Promise<unknown> {
  const path = new URL(request.url ?? '/', 'http://lab').pathname
  if (request.method === 'GET' && path === '/lab/state') return state(venues)
  if (request.method !== 'POST') return null
  const body = await readJson(request)
  if (path === '/lab/faults') {
    const { venue, kind, ...options } = FaultRequest.parse(body)
    const target = venues[venue]
    if (target === undefined) throw new Error(`the lab has no venue ${venue}`)
    target.faults.apply(kind, options)
    return { venue, kind, state: target.faults.state() }
  }
  if (path === '/lab/accounts') {
    const { venue, ...accountRequest } = AccountRequest.parse(body)
    const open = venues[venue]?.openAccount
    if (open === undefined) throw new Error(`the lab opens no accounts of ${venue} here`)
    return open(accountRequest)
  }
  if (path !== '/lab/recover') return null
  const only = (body as { venue?: string } | undefined)?.venue
  for (const [name, { faults }] of Object.entries(venues)) if (only === undefined || only === name) faults.recover()
  return state(venues)
}

const state = (venues: Readonly<Record<string, ControlledVenue>>) => ({
  venues: Object.fromEntries(
    Object.entries(venues).map(([name, { urls, faults, counters, engine }]) => [
      name,
      { urls, faults: faults.state(), counters: counters(), messages: engine.steps },
    ]),
  ),
})

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_MAX_BYTES) throw new Error('body too large')
    chunks.push(chunk)
  }
  return bytes === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString())
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(body))
}

const reason = (error: unknown): string =>
  error instanceof ZodError
    ? error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
    : String(error)
