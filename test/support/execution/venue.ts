// The test venue: a real HTTP server that accepts orders by client id and can misbehave as venues do.
//
//   POST /orders/{id}   DELETE /orders/{id}   POST /orders/{id}/replace/{newId}   GET /orders/{id}
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * `limit`: rejects without a look. `drop`: accepts, then cuts the connection. `forget`: cuts it without accepting. `late`: cuts it, and
 * accepts on release. `fill`: fills an order at once. `unclear`: answers 500 with its reason, and does nothing.
 */
export type VenueMode = 'accept' | 'reject' | 'refuse' | 'limit' | 'drop' | 'forget' | 'late' | 'fill' | 'unclear'

export interface TestVenue {
  url: string
  mode: VenueMode
  /** Per order, overrides the mode of the venue. */
  orderModes: Map<string, VenueMode>
  reason: string
  /** Every placed order, including duplicates: what the tests are about. */
  placed: string[]
  /** Every executed cancellation, including duplicates. */
  canceled: string[]
  /** By the id of an order: the order that replaced it. */
  replacedBy: Map<string, string>
  /** Number of requests. */
  calls: number
  status: Map<string, string>
  fills: Map<string, string[]>
  /** Executes the late requests. */
  release(): void
  close(): Promise<void>
}

export async function startTestVenue(): Promise<TestVenue> {
  const held: (() => void)[] = []
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      venue.calls++
      const [, , id = '', , newId] = new URL(request.url ?? '', 'http://venue').pathname.split('/')
      const respond = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body))
      if (request.method === 'GET') {
        const status = venue.status.get(id) ?? null
        return void respond(200, { status, fills: venue.fills.get(id) ?? [] })
      }
      const mode = venue.orderModes.get(newId ?? id) ?? venue.mode
      if (mode === 'unclear') return void respond(500, { reason: venue.reason })
      if (mode === 'limit') return void respond(429, { reason: 'too many requests' })
      if (mode === 'reject' || mode === 'refuse') {
        return void respond(mode === 'reject' ? 400 : 401, { reason: venue.reason })
      }
      const target = request.method === 'DELETE' || newId !== undefined ? id : null
      if (target !== null && venue.status.get(target) !== 'acked')
        return void respond(400, { reason: 'order is not open' })
      const placed = newId ?? id
      if (mode === 'late') held.push(() => act(target, placed))
      else if (mode !== 'forget') act(target, placed)
      if (mode === 'fill') {
        venue.status.set(placed, 'filled')
        venue.fills.set(placed, ['f1'])
      }
      if (mode === 'accept' || mode === 'fill') return void respond(200, { ok: true, filled: mode === 'fill' })
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
    mode: 'accept',
    orderModes: new Map(),
    reason: 'market is closed',
    placed: [],
    canceled: [],
    replacedBy: new Map(),
    calls: 0,
    status: new Map(),
    fills: new Map(),
    release() {
      for (const act of held.splice(0)) act()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return venue
}
