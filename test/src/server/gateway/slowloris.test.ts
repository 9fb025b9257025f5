// faults.md 13: connections that never finish a request are closed, without affecting others.
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Gateway, startGateway } from '#server/gateway/gateway'

const perKind = process.env.CROSSBOOK_TEST_LONG ? 500 : 20
const closedWithinMs = 15_000

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    http: () => ({ status: 200, headers: {}, body: 'ok' }),
    stream: { open: () => expect.unreachable(), stop: async () => undefined } as never,
  })
})
afterAll(() => gateway.stop())

const kinds = {
  silent: { first: '', drip: '' },
  'a header a second': { first: 'GET / HTTP/1.1\r\nHost: x\r\n', drip: 'X-A: b\r\n' },
  'a header byte a second': { first: 'GET / HTTP/1.1\r\nHost: x\r\nX-Long: ', drip: 'a' },
  'a body byte a second': { first: 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n', drip: 'a' },
  'idle after an answer': { first: 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', drip: '' },
} as const

/** Resolves with the time until the server closed it. */
function dribble({ first, drip }: { first: string; drip: string }): Promise<number> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    const socket: Socket = connect(gateway.port, '127.0.0.1', () => {
      if (first !== '') socket.write(first)
    })
    const timer = setInterval(() => {
      if (drip !== '') socket.write(drip)
    }, 1_000)
    socket.resume()
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(timer)
      resolve(performance.now() - startedAt)
    })
  })
}

it(`closes silent and dribbling connections within ${closedWithinMs / 1_000} s while others are answered`, async () => {
  const all = Object.entries(kinds).flatMap(([kind, words]) =>
    Array.from({ length: perKind }, async () => ({ kind, ms: await dribble(words) })),
  )
  let done = false
  const healthy = (async () => {
    let answered = 0
    while (!done) {
      const response = await fetch(gateway.url)
      if ((await response.text()) === 'ok') answered++
    }
    return answered
  })()
  const closed = await Promise.all(all)
  done = true
  expect(await healthy).toBeGreaterThan(0)
  expect(closed.filter(({ ms }) => ms > closedWithinMs)).toEqual([])
}, 60_000)
