// A venue of the tests: a real HTTP server that takes orders by client id and can misbehave as venues do.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `drop`: takes the order, then cuts the connection. `forget`: cuts it without taking the order. */
export type Mood = 'accept' | 'reject' | 'refuse' | 'drop' | 'forget'

export interface TestVenue {
  url: string
  mood: Mood
  reason: string
  /** Every order that was placed, doubles included: what the promise is about. */
  placed: string[]
  /** How often it was asked for anything. */
  calls: number
  status: Map<string, string>
  fills: Map<string, string[]>
  close(): Promise<void>
}

export async function startTestVenue(): Promise<TestVenue> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      venue.calls++
      const id = new URL(request.url ?? '', 'http://venue').pathname.split('/')[2] ?? ''
      const say = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body))
      if (request.method === 'GET') {
        const status = venue.status.get(id) ?? null
        return void say(200, { status, fills: venue.fills.get(id) ?? [] })
      }
      if (venue.mood === 'reject' || venue.mood === 'refuse') {
        return void say(venue.mood === 'reject' ? 400 : 401, { reason: venue.reason })
      }
      if (venue.mood !== 'forget') {
        venue.placed.push(id)
        venue.status.set(id, 'acked')
      }
      if (venue.mood === 'accept') return void say(200, { ok: true })
      request.socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const venue: TestVenue = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mood: 'accept',
    reason: 'market is closed',
    placed: [],
    calls: 0,
    status: new Map(),
    fills: new Map(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return venue
}
