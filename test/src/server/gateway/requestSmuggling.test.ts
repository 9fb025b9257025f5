// Fault 37: messages whose end is ambiguous.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { headBytesMax } from '#server/gateway/uwsLimits'
import { queryCharsMax } from '#server/http/query'
import { ambiguous } from './misframed.ts'
import { exchange } from './rawSocket.ts'
import { startServer, type TestServer } from './support.ts'

let server: TestServer
let seen: string[]
beforeAll(async () => {
  server = await startServer({
    http: (call) => {
      seen.push(call.path)
      return { status: 200, headers: {}, body: 'ok' }
    },
  })
})
afterAll(() => server.stop())
beforeEach(() => {
  seen = []
})

const refused = ambiguous.filter(({ refusedBy }) => refusedBy === 'us')

describe('refused before a handler runs, and the connection closed', () => {
  it.each(refused)('$name', async ({ request, alone }) => {
    const { answers, closed } = await exchange(server.gateway.port, [alone])
    expect([answers.map(({ status }) => status), closed]).toEqual([[400], true])
    // With a second request in the same read the transport may close without a response, but never takes one for two.
    const withSecond = await exchange(server.gateway.port, [request])
    expect(withSecond.closed).toBe(true)
    expect(withSecond.answers.filter(({ status }) => status !== 400)).toEqual([])
    expect(seen).toEqual([])
  })
})

it('our own refusal has the envelope', async () => {
  const { alone } = ambiguous.find(({ name }) => name === 'two lengths')!
  const { answers } = await exchange(server.gateway.port, [alone])
  expect(JSON.parse(answers[0]!.body)).toMatchObject({
    success: false,
    error: { code: 'BAD_REQUEST', message: 'Content-Length is sent twice', requestId: expect.any(String) },
  })
})

it('reads heads of 32 KiB, so the longest query fits next to long headers, in one packet or many', async () => {
  const head = `GET /x?${'q'.repeat(queryCharsMax)} HTTP/1.1\r\nHost: a\r\nX-Long: ${'h'.repeat(12_000)}\r\n\r\n`
  expect(head.length).toBeLessThan(headBytesMax)
  for (const pieces of [[head], [head.slice(0, 5_000), head.slice(5_000, 20_000), head.slice(20_000)]])
    expect((await exchange(server.gateway.port, pieces, 1)).answers).toEqual([{ status: 200, body: 'ok' }])
  const tooLong = `GET /x?${'q'.repeat(headBytesMax)} HTTP/1.1\r\nHost: a\r\n\r\n`
  expect((await exchange(server.gateway.port, [tooLong])).answers[0]?.status).toBe(431)
})
