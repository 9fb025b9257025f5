import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { openSocket } from '#net/socket'
import { type FaultProxy, startFaultProxy } from '#test/support/faultProxy'

const venue = createServer()
const stream = new WebSocketServer({ noServer: true })
let proxy: FaultProxy

beforeAll(async () => {
  venue.on('upgrade', (request, socket, head) =>
    stream.handleUpgrade(request, socket, head, (client) => client.on('message', (data) => client.send(data))),
  )
  venue.listen(0, '127.0.0.1')
  await once(venue, 'listening')
  proxy = await startFaultProxy(0, (venue.address() as AddressInfo).port)
})
afterAll(async () => {
  await proxy.close()
  stream.close()
  venue.close()
})

/** Opens a socket through the proxy; `ended` resolves with the reason when it is closed. */
function open() {
  const frames: string[] = []
  let opened: () => void
  let echoed: () => void
  let closed: (reason: string) => void
  const isOpen = new Promise<void>((resolve) => {
    opened = resolve
  })
  const isEchoed = new Promise<void>((resolve) => {
    echoed = resolve
  })
  const ended = new Promise<string>((resolve) => {
    closed = resolve
  })
  const socket = openSocket(
    `ws://127.0.0.1:${proxy.port}/`,
    {},
    {
      opened: () => opened(),
      frame(data) {
        frames.push(data.toString())
        echoed()
      },
      closed: (reason) => closed(reason),
    },
  )
  return { socket, frames, isOpen, isEchoed, ended }
}

it('a half-open connection is given up within seconds, and the next one works', { timeout: 15_000 }, async () => {
  proxy.isHalfOpen = () => true
  const { ended } = open()
  expect(await ended).toBe('Opening handshake has timed out')
  proxy.isHalfOpen = () => false
  const { socket, frames, isOpen, isEchoed } = open()
  await isOpen
  socket.send('hello')
  await isEchoed
  expect(frames).toEqual(['hello'])
  socket.close()
})

it('a socket that became half-open is closed at once, although the venue confirms nothing', async () => {
  const { socket, isOpen, ended } = open()
  await isOpen
  proxy.freezeAll()
  socket.close()
  expect(await ended).toBe('closed by us')
})
