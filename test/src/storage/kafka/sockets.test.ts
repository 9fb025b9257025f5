// Connections to a broker that stops responding without closing.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { createSocketFactory, heldMs, silentMs } from '#storage/kafka/sockets'

const fetchKey = 1
const joinGroupKey = 11
const request = (key: number): Buffer => {
  const bytes = Buffer.alloc(12)
  bytes.writeInt32BE(8, 0)
  bytes.writeInt16BE(key, 4)
  return bytes
}
const answer = (length: number): Buffer => {
  const bytes = Buffer.alloc(4 + length)
  bytes.writeInt32BE(length, 0)
  return bytes
}

const opened: { server: Server; sockets: Socket[] }[] = []
afterEach(() => {
  for (const { server, sockets } of opened.splice(0)) {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
})

async function connection() {
  const clock = new ManualClock()
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const connect = createSocketFactory(clock)
  const { port } = server.address() as AddressInfo
  const connected = Promise.withResolvers<void>()
  const client = connect({ host: '127.0.0.1', port, ssl: undefined as never, onConnect: connected.resolve })
  const errors: string[] = []
  client.on('error', (error: Error) => errors.push(error.message))
  await connected.promise
  const [broker] = await accepted
  opened.push({ server, sockets: [client as Socket, broker] })
  return { clock, client: client as Socket, broker, errors }
}

/** Sends like a broker, and resolves when the client has received it. */
async function send({ broker, client }: { broker: Socket; client: Socket }, bytes: Buffer): Promise<void> {
  const read = client.bytesRead + bytes.length
  broker.write(bytes)
  while (client.bytesRead < read) await once(client, 'data')
}

test('closes when a response is outstanding and no data arrives', async () => {
  const world = await connection()
  world.client.write(request(fetchKey))
  world.clock.advance(silentMs - 1)
  expect(world.client.destroyed).toBe(false)
  // Another request does not extend the deadline.
  world.client.write(request(fetchKey))
  world.clock.advance(1)
  expect(world.client.destroyed).toBe(true)
  await new Promise((resolve) => world.client.once('close', resolve))
  expect(world.errors).toEqual([`the broker has not answered for ${silentMs} ms`])
  expect(world.clock.pendingCount).toBe(0)
})

test('stays open without outstanding responses, and while a long response arrives in parts', async () => {
  const world = await connection()
  world.clock.advance(10 * silentMs)
  world.client.write(request(fetchKey))
  const long = answer(1_000)
  await send(world, long.subarray(0, 3))
  for (let at = 3; at < long.length; at += 100) {
    world.clock.advance(silentMs - 1)
    await send(world, long.subarray(at, at + 100))
  }
  world.clock.advance(10 * silentMs)
  expect(world.client.destroyed).toBe(false)
})

test('closes when only one of two requests is answered', async () => {
  const world = await connection()
  world.client.write(request(fetchKey))
  world.client.write(request(fetchKey))
  await send(world, answer(8))
  world.clock.advance(silentMs)
  expect(world.client.destroyed).toBe(true)
})

test('waits longer for group requests, but not forever', async () => {
  const world = await connection()
  world.client.write(request(joinGroupKey))
  world.client.write(request(fetchKey))
  world.clock.advance(heldMs - 1)
  await send(world, Buffer.concat([answer(8), answer(8)]))
  world.client.write(request(fetchKey))
  world.clock.advance(silentMs - 1)
  await send(world, answer(8))
  world.client.write(request(joinGroupKey))
  world.clock.advance(heldMs - 1)
  expect(world.client.destroyed).toBe(false)
  world.clock.advance(1)
  expect(world.client.destroyed).toBe(true)
})
