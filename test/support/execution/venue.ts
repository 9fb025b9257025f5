// A venue of the tests: a real HTTP server that takes orders by client id and can misbehave as venues do.
//
//   POST /orders/{id}   DELETE /orders/{id}   POST /orders/{id}/replace/{newId}   GET /orders/{id}
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `limit`: looks at nothing. `drop`: does as told, then cuts the connection. `forget`: cuts it without doing anything. */
export type Mood = 'accept' | 'reject' | 'refuse' | 'limit' | 'drop' | 'forget'

export interface TestVenue {
  url: string
  mood: Mood
  /** Of one order, before the venue's own. */
  moods: Map<string, Mood>
  reason: string
  /** Every order that was placed, doubles included: what the promise is about. */
  placed: string[]
  /** Every cancellation that was done, doubles included. */
  canceled: string[]
  /** By the id of an order: the order that a change put in its place. */
  replacedBy: Map<string, string>
  /** How often it was asked for anything. */
  calls: number
  status: Map<string, string>
  fills: Map<string, string[]>
  close(): Promise<void>
}

export async function startTestVenue(): Promise<TestVenue> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      venue.calls++
      const [, , id = '', , newId] = new URL(request.url ?? '', 'http://venue').pathname.split('/')
      const say = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body))
      if (request.method === 'GET') {
        const status = venue.status.get(id) ?? null
        return void say(200, { status, fills: venue.fills.get(id) ?? [] })
      }
      const mood = venue.moods.get(newId ?? id) ?? venue.mood
      if (mood === 'limit') return void say(429, { reason: 'too many requests' })
      if (mood === 'reject' || mood === 'refuse') {
        return void say(mood === 'reject' ? 400 : 401, { reason: venue.reason })
      }
      const target = request.method === 'DELETE' || newId !== undefined ? id : null
      if (target !== null && venue.status.get(target) !== 'acked') return void say(400, { reason: 'order is not open' })
      if (mood !== 'forget') act(target, newId ?? id)
      if (mood === 'accept') return void say(200, { ok: true })
      request.socket.destroy()
    })
    const act = (gone: string | null, placed: string): void => {
      if (gone !== null) {
        venue.canceled.push(gone)
        venue.status.set(gone, 'canceled')
      }
      if (placed === gone) return
      if (gone !== null) venue.replacedBy.set(gone, placed)
      venue.placed.push(placed)
      venue.status.set(placed, 'acked')
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const venue: TestVenue = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mood: 'accept',
    moods: new Map(),
    reason: 'market is closed',
    placed: [],
    canceled: [],
    replacedBy: new Map(),
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
