import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createHttpSender } from '#net/httpSender'

let close: (() => Promise<void>) | undefined
afterEach(() => close?.())

/** A raw socket: incoming data is seen byte by byte. */
async function serve(answer: (socket: Socket) => void) {
  const received: string[] = []
  const sockets: Socket[] = []
  const server: Server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes) => {
      received.push(bytes.toString('latin1'))
      answer(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sender = createHttpSender()
  close = async () => {
    for (const socket of sockets) socket.destroy()
    await Promise.all([sender.close(), new Promise<void>((resolve) => server.close(() => resolve()))])
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/order?b=2&a=1`
  const send = (timeoutMs = 5_000, signal = new AbortController().signal) =>
    sender.send({ method: 'POST', url, text: '{"b":1, "a":"é"}', headers: { 'x-one': 'two' }, timeoutMs, signal })
  return { received, sockets, send, server, sender, url }
}
const silent = (): void => undefined
const reply = (head: string, text = ''): string => `HTTP/1.1 ${head}\r\ncontent-length: ${text.length}\r\n\r\n${text}`

describe('the sender', () => {
  it('sends exactly the given bytes', async () => {
    const { send, received } = await serve((socket) => socket.write(reply('201 Created\r\nx-id: 7', 'no json')))
    expect(await send()).toMatchObject({ kind: 'answered', status: 201, text: 'no json', headers: { 'x-id': '7' } })
    const [head, body] = received.join('').split('\r\n\r\n')
    expect(head).toMatch(/^POST \/order\?b=2&a=1 HTTP\/1\.1\r\n/)
    expect(head).toContain('x-one: two')
    expect(Buffer.from(body!, 'latin1').toString()).toBe('{"b":1, "a":"é"}')
  })

  it('a response that would block the event loop leaves the outcome unknown', async () => {
    const { send } = await serve((socket) => socket.write(reply('200 OK', '['.repeat(100_000))))
    const outcome = await send()
    expect(outcome).toMatchObject({ kind: 'unknown', cause: { message: 'nested deeper than 64 levels' } })
  })

  it('a refused connection: nothing was sent', async () => {
    const { send, server } = await serve(silent)
    await new Promise<void>((resolve) => server.close(() => resolve()))
    expect(await send()).toMatchObject({ kind: 'not_sent' })
    close = undefined
  })

  it('signs and timestamps a request once it has a connection; a request that waited too long is not sent', async () => {
    const open: Socket[] = []
    const { sender, received, url } = await serve((socket) => void open.push(socket))
    const { signal } = new AbortController()
    const made: number[] = []
    const sendOne = (n: number, more: { mayLeave?: () => boolean } = {}) =>
      sender.send({
        method: 'POST',
        url,
        text: null,
        headers: async () => {
          made.push(n)
          return { 'x-n': String(n) }
        },
        timeoutMs: 60_000,
        signal,
        ...more,
      })
    const all = Array.from({ length: 40 }, (_, n) => sendOne(n, n === 35 ? { mayLeave: () => false } : {}))
    await vi.waitFor(() => expect(open).toHaveLength(32))
    expect(made).toHaveLength(32)
    const answer = () => {
      for (const socket of open.splice(0)) socket.write(reply('200 OK'))
    }
    answer()
    await vi.waitFor(() => expect(made).toHaveLength(40))
    await vi.waitFor(() => expect(received.join('').match(/POST /g)).toHaveLength(39))
    answer()
    const outcomes = await Promise.all(all)
    expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map((_, n) => (n === 35 ? 'not_sent' : 'answered')))
  })

  it('a request that cannot be signed is not sent, with the reason', async () => {
    const { sender, sockets, url } = await serve(silent)
    const cause = new Error('no key')
    const headers = () => Promise.reject(cause)
    const { signal } = new AbortController()
    expect(await sender.send({ method: 'POST', url, text: null, headers, timeoutMs: 1_000, signal })).toEqual({
      kind: 'not_sent',
      cause,
    })
    expect(sockets).toHaveLength(0)
  })

  it('an aborted signal: nothing was sent', async () => {
    const { send, sockets } = await serve(silent)
    expect(await send(5_000, AbortSignal.abort())).toMatchObject({ kind: 'not_sent' })
    expect(sockets).toHaveLength(0)
  })

  it.each<[string, (socket: Socket) => void]>([
    ['cut after the request', (socket) => socket.destroy()],
    ['cut within the answer', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{')],
    ['an answer that is no HTTP', (socket) => socket.end('nonsense')],
    ['silence', silent],
  ])('%s is unknown, and it was tried once', async (_, answer) => {
    const { send, sockets } = await serve(answer)
    expect(await send(300)).toMatchObject({ kind: 'unknown' })
    expect(sockets).toHaveLength(1)
  })

  it.each(['301 Moved', '307 Temporary Redirect', '503 Unavailable\r\nretry-after: 0', '429 Too Many'])(
    '%s is returned unchanged',
    async (head) => {
      const { send, sockets, received } = await serve((socket) =>
        socket.write(reply(`${head}\r\nlocation: /elsewhere`)),
      )
      expect(await send()).toMatchObject({ kind: 'answered', status: Number(head.slice(0, 3)) })
      expect(sockets).toHaveLength(1)
      expect(received.join('').match(/POST /g)).toHaveLength(1)
    },
  )
})
