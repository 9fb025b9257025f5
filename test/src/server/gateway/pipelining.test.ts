// Fault 37: several requests on one connection before the first is answered.
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { exchange } from './rawSocket.ts'
import { startServer, type TestServer } from './support.ts'

let server: TestServer
/** Calls that were carried out. */
let effects: string[]
beforeEach(async () => {
  effects = []
  server = await startServer({
    http: (call) => {
      effects.push(call.path)
      const answer = { status: 200, headers: {}, body: `${call.path}${call.body}` }
      return call.path.startsWith('/later') ? wait(1, answer) : answer
    },
    traitsOf: (_, path) => ({ bodyBytesMax: 1_000, hasEffect: path.startsWith('/later') }),
  })
})
afterEach(() => server.stop())

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const bodies = ({ answers }: { answers: { body: string }[] }) => answers.map(({ body }) => body)

it('answers a request that arrives during another after it', async () => {
  const answered = await exchange(server.gateway.port, [get('/later0'), get('/now1') + get('/now2')], 3)
  expect(bodies(answered)).toEqual(['/later0', '/now1', '/now2'])
  const posted = await exchange(server.gateway.port, [post('/later0', 'a').slice(0, -1), 'a', post('/later1', 'b')], 2)
  expect(bodies(posted)).toEqual(['/later0a', '/later1b'])
})

it.each([2, 10, 50])('answers %i immediate requests in one packet', async (count) => {
  const paths = Array.from({ length: count }, (_, i) => `/now${i}`)
  const requests = paths.map((path, i) => (i % 2 === 0 ? get(path) : post(path, `b${i}`)))
  const whole = paths.map((path, i) => (i % 2 === 0 ? path : `${path}b${i}`))
  expect(bodies(await exchange(server.gateway.port, [requests.join('')], count))).toEqual(whole)
  const last = await exchange(server.gateway.port, [requests.join('') + get('/later')], count + 1)
  expect(bodies(last)).toEqual([...whole, '/later'])
})

it('however requests are split into packets: responses are in order, and nothing is carried out without a response', async () => {
  const requests = fc.array(
    fc.record({ later: fc.boolean(), hasBody: fc.boolean(), body: fc.stringMatching(/^[a-z]{0,20}$/) }),
    { minLength: 1, maxLength: 10 },
  )
  await fc.assert(
    fc.asyncProperty(requests, fc.array(fc.nat(), { maxLength: 8 }), async (wanted, cuts) => {
      effects = []
      const paths = wanted.map(({ later }, i) => `/${later ? 'later' : 'now'}${i}`)
      const text = wanted.map(({ body, hasBody }, i) => (hasBody ? post(paths[i]!, body) : get(paths[i]!))).join('')
      const edges = [0, ...new Set(cuts.map((cut) => cut % text.length).toSorted((a, b) => a - b)), text.length]
      const pieces = edges.slice(1).map((edge, i) => text.slice(edges[i], edge))
      const answered = await exchange(server.gateway.port, pieces, wanted.length)
      // The transport takes a request line cut within its version for another version.
      if (answered.answers.at(-1)?.status === 505) answered.answers.pop()
      const whole = wanted.map(({ body, hasBody }, i) => `${paths[i]}${hasBody ? body : ''}`)
      expect(bodies(answered)).toEqual(whole.slice(0, answered.answers.length))
      // A connection is closed only before a request with an effect was begun.
      const posted = new Set(paths.filter((_, i) => wanted[i]!.hasBody && wanted[i]!.later))
      const done = effects.filter((path) => posted.has(path))
      expect(done).toEqual(paths.slice(0, answered.answers.length).filter((path) => posted.has(path)))
    }),
    { numRuns: process.env.CROSSBOOK_TEST_LONG === '1' ? 5_000 : 150 },
  )
})

it('does not begin a request with an effect when another follows in its packet: closes the connection', async () => {
  const answered = await exchange(server.gateway.port, [post('/later0', 'order') + get('/now1')])
  expect(answered).toEqual({ answers: [], closed: true })
  expect(effects).toEqual([])
})

it('answers a client that has closed its sending side', async () => {
  const tcp = connect({ port: server.gateway.port, host: '127.0.0.1', allowHalfOpen: true })
  tcp.end(post('/later0', 'order'))
  let text = ''
  for await (const chunk of tcp) text += chunk
  expect(text).toMatch(/^HTTP\/1.1 200 OK/)
})
