// HTTP through the real gateway: what a handler sees, what a client gets, and what happens when either stops half way.
import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { bodyBytesMax, type HttpAnswer, type HttpCall } from '#server/http/contract'
import { startServer, type TestServer } from './support.ts'

let server: TestServer
afterEach(() => server.stop())

interface Seen {
  headers: Record<string, string>
  ip: string
}
const echo = (call: HttpCall): HttpAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    ...call,
    method: call.method,
    body: call.body.toString(),
    headers: call.headers,
    ip: call.remoteAddress,
  }),
})
const base = () => server.gateway.url

/** Sends bytes, returns everything received until the server closes or `enough` returns true. */
function raw(text: string, enough: (answer: string) => boolean = () => false): Promise<string> {
  return new Promise((resolve, reject) => {
    const tcp = connect(server.gateway.port, '127.0.0.1', () => tcp.write(text))
    let answer = ''
    tcp.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (enough(answer)) tcp.destroy()
    })
    tcp.on('close', () => resolve(answer))
    tcp.on('error', reject)
  })
}

describe('calls', () => {
  it.each(['sync', 'async'])('shows the handler which headers are repeated or unreadable (%s)', async (mode) => {
    const counted = (call: HttpCall): HttpAnswer => {
      const times = ['x-once', 'x-twice', 'x-empty', 'x-foreign', 'x-both', 'x-none'].map((name) => call.timesOf(name))
      return { status: 200, headers: {}, body: JSON.stringify([...times, call.headers['x-twice'] ?? null]) }
    }
    server = await startServer({
      http: (call) =>
        mode === 'sync' ? counted(call) : new Promise((resolve) => setImmediate(() => resolve(counted(call)))),
    })
    const headers =
      'X-Once: a\r\nX-Twice: DE\r\nX-Twice: KP\r\nX-Empty:\r\nX-Foreign: \u00e9\r\nX-Both:\r\nX-Both: a\r\n'
    const answer = await raw(`GET / HTTP/1.1\r\nHost: a\r\n${headers}Connection: close\r\n\r\n`, (text) =>
      text.endsWith(']'),
    )
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toEqual([1, 2, 1, 1, 2, 0, 'DE'])
  })

  it.each(['sync', 'async'])(
    'passes method, path, raw query, headers, body and address to the handler (%s)',
    async (mode) => {
      server = await startServer({
        http: (call) =>
          mode === 'sync' ? echo(call) : new Promise((resolve) => setImmediate(() => resolve(echo(call)))),
      })
      const answer = await fetch(`${base()}/api/kalshi/x%20y?a=1&b=%2F`, {
        method: 'POST',
        body: '{"args":[1]}',
        headers: { Authorization: 'Bearer k', 'X-Odd': 'value' },
      })
      const seen = (await answer.json()) as Seen
      expect(seen).toMatchObject({
        method: 'POST',
        path: '/api/kalshi/x%20y',
        query: 'a=1&b=%2F',
        body: '{"args":[1]}',
      })
      expect(seen.headers).toMatchObject({ authorization: 'Bearer k', 'x-odd': 'value' })
      expect(seen.ip).toBe('127.0.0.1')
      const get = (await (await fetch(`${base()}/get`, { headers: { 'If-None-Match': 'W/"1"' } })).json()) as Seen
      expect(get).toMatchObject({ method: 'GET', body: '', query: '' })
      expect(get.headers['if-none-match']).toBe('W/"1"')
    },
  )

  it('a header read by name equals the one in the whole map, the first one of a repeated name, and never a prototype', async () => {
    const seen: unknown[] = []
    server = await startServer({
      http: ({ headers }) => {
        seen.push(
          headers['x-twice'],
          headers.constructor,
          headers.absent,
          'x-twice' in headers,
          { ...headers }['x-twice'],
          headers['x-twice'],
        )
        return { status: 200, headers: {}, body: '' }
      },
    })
    await raw('GET / HTTP/1.1\r\nHost: a\r\nX-Twice: one\r\nX-Twice: two\r\nConnection: close\r\n\r\n', (text) =>
      text.includes('\r\n\r\n'),
    )
    expect(seen).toEqual(['one', undefined, undefined, true, 'one', 'one'])
  })

  it('sends status, headers and bytes as given', async () => {
    const body = Buffer.from([0, 1, 2, 250, 251])
    server = await startServer({
      http: () => ({ status: 429, headers: { 'retry-after': '3', 'content-length': '99' }, body }),
    })
    const answer = await fetch(base())
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after')).toBe('3')
    expect(answer.headers.get('content-length')).toBe('5')
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(body)
  })

  it('HEAD is a GET without its body, every other method reaches the handler, and 204 has no body', async () => {
    server = await startServer({
      http: (call) => ({ status: 200, headers: { 'x-method': call.method }, body: 'twelve bytes' }),
    })
    const head = await fetch(base(), { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe('12')
    expect(head.headers.get('x-method')).toBe('GET')
    for (const method of ['PUT', 'PATCH', 'DELETE', 'POST', 'OPTIONS']) {
      expect((await fetch(base(), { method })).headers.get('x-method')).toBe(method)
    }
  })

  it('a handler that throws still answers 500 with the envelope', async () => {
    server = await startServer({
      http: (call) => {
        if (call.path === '/sync') throw new Error('secret text')
        return Promise.reject(new Error('secret text'))
      },
    })
    for (const path of ['/sync', '/async']) {
      const answer = await fetch(base() + path)
      expect(answer.status).toBe(500)
      const text = await answer.text()
      expect(JSON.parse(text)).toMatchObject({
        success: false,
        error: { code: 'INTERNAL', requestId: expect.any(String) },
      })
      expect(text).not.toContain('secret')
    }
  })
})

describe('bodies', () => {
  it('accepts a body of the maximum size; one byte more is 413 with the envelope and never reaches the handler', async () => {
    const handler = vi.fn((call: HttpCall) => ({ status: 200, headers: {}, body: String(call.body.length) }))
    server = await startServer({ http: handler })
    const post = (bytes: number) => fetch(base(), { method: 'POST', body: 'x'.repeat(bytes) })
    expect(await (await post(bodyBytesMax)).text()).toBe(String(bodyBytesMax))
    for (const bytes of [bodyBytesMax + 1, 10 * 1024 * 1024]) {
      const answer = await post(bytes)
      expect(answer.status).toBe(413)
      expect(await answer.json()).toMatchObject({
        success: false,
        error: {
          code: 'VALIDATION_ERROR',
          retryable: false,
          requestId: expect.any(String),
          message: expect.any(String),
        },
      })
      expect(answer.headers.get('x-request-id')).toBeTruthy()
    }
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it('a route may accept more, up to its own cap; too many large bodies at once are refused with a retryable 503', async () => {
    const traitsOf = (_: string, path: string) => ({
      bodyBytesMax: path === '/large' ? 2 * bodyBytesMax : bodyBytesMax,
      hasEffect: false,
    })
    server = await startServer({
      http: (call) => ({ status: 200, headers: {}, body: String(call.body.length) }),
      traitsOf,
    })
    const post = async (path: string, bytes: number) =>
      (await fetch(base() + path, { method: 'POST', body: 'x'.repeat(bytes) })).status
    expect(await post('/large', 2 * bodyBytesMax)).toBe(200)
    expect(await post('/large', 2 * bodyBytesMax + 1)).toBe(413)
    expect(await post('/other', bodyBytesMax + 1)).toBe(413)
    const head = `POST /large HTTP/1.1\r\nHost: a\r\nContent-Length: ${2 * bodyBytesMax}\r\n\r\n`
    const begun = Array.from({ length: 32 }, () => {
      const tcp = connect(server.gateway.port, '127.0.0.1', () => tcp.write(head + 'x'.repeat(bodyBytesMax + 1)))
      return tcp
    })
    await vi.waitFor(async () => expect(await post('/large', 2 * bodyBytesMax)).toBe(503))
    expect(await post('/large', bodyBytesMax)).toBe(200)
    for (const tcp of begun) tcp.destroy()
    await vi.waitFor(async () => expect(await post('/large', 2 * bodyBytesMax)).toBe(200))
  })

  it('refuses a body announced far above the limit at once and closes the connection', async () => {
    server = await startServer()
    const answer = await raw('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
  })

  it('a chunked body is collected', async () => {
    server = await startServer({ http: (call) => ({ status: 200, headers: {}, body: call.body }) })
    const answer = await raw(
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
      (text) => text.includes('abcde'),
    )
    expect(answer).toContain('abcde')
  })

  it('refuses 2,000 headers and contradictory lengths with 4xx, and serves the next caller', async () => {
    server = await startServer()
    const headers = Array.from({ length: 2_000 }, (_, i) => `X-${i}: 1`).join('\r\n')
    const many = await raw(`GET / HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n`)
    expect(many).toMatch(/^HTTP\/1.1 4\d\d /)
    const both = await raw(
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    )
    expect(both).toMatch(/^HTTP\/1.1 4\d\d /)
    expect(await (await fetch(base())).text()).toBe('ok')
  })
})

describe('streams', () => {
  const line = Buffer.from(`${'x'.repeat(65_535)}\n`)

  it('arrive completely, and are produced no faster than they are read', async () => {
    let produced = 0
    server = await startServer({
      http: () => ({
        status: 200,
        headers: { 'content-type': 'application/x-ndjson' },
        body: (async function* () {
          for (let i = 0; i < 400; i++) {
            produced++
            yield line
          }
        })(),
      }),
    })
    const tcp = connect(server.gateway.port, '127.0.0.1', () =>
      tcp.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
    )
    tcp.pause()
    let before = -1
    await vi.waitFor(
      () => {
        const still = produced > 0 && produced === before
        before = produced
        expect(still).toBe(true)
      },
      { timeout: 25_000, interval: 100 },
    )
    expect(produced, 'a peer that does not read stops the producer').toBeLessThan(400)
    let bytes = 0
    let tail = ''
    tcp.on('data', (chunk) => {
      bytes += chunk.length
      tail = (tail + chunk.toString('latin1')).slice(-5)
      if (tail === '0\r\n\r\n') tcp.destroy()
    })
    tcp.resume()
    await new Promise((resolve) => tcp.on('close', resolve))
    expect(produced).toBe(400)
    expect(bytes).toBeGreaterThan(400 * line.length)
    const whole = await (await fetch(base())).arrayBuffer()
    expect(whole.byteLength).toBe(400 * line.length)
  })

  it('a failure before the first chunk is an envelope; after it the connection is cut', async () => {
    server = await startServer({
      http: (call) => ({
        status: 200,
        headers: { 'x-request-id': 'r1' },
        body: (async function* () {
          if (call.path === '/late') yield line
          throw new Error('the tape is away')
        })(),
      }),
    })
    const early = await fetch(`${base()}/early`)
    expect(early.status).toBe(500)
    expect(early.headers.get('x-request-id')).toBe('r1')
    expect(await early.json()).toMatchObject({ success: false, error: { code: 'INTERNAL', requestId: 'r1' } })
    await expect(fetch(`${base()}/late`).then((answer) => answer.text())).rejects.toThrow()
  })

  it('a client that disconnects stops the producer and aborts the signal', async () => {
    let released = false
    let aborted = false
    server = await startServer({
      http: (call) => {
        call.signal.addEventListener('abort', () => {
          aborted = true
        })
        return {
          status: 200,
          headers: {},
          body: (async function* () {
            try {
              for (;;) yield line
            } finally {
              released = true
            }
          })(),
        }
      },
    })
    const tcp = connect(server.gateway.port, '127.0.0.1', () => tcp.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'))
    await new Promise((resolve) => tcp.once('data', resolve))
    tcp.destroy()
    await vi.waitFor(() => expect([released, aborted]).toEqual([true, true]), { timeout: 25_000 })
  })

  it('HEAD of a stream releases the stream unread', async () => {
    let started = false
    let signal: AbortSignal | undefined
    server = await startServer({
      http: (call) => {
        ;({ signal } = call)
        return {
          status: 200,
          headers: {},
          body: (async function* () {
            started = true
            yield line
          })(),
        }
      },
    })
    const { status, headers } = await fetch(base(), { method: 'HEAD' })
    expect(status).toBe(200)
    // Its length is unknown, so there is no content-length.
    expect(headers.get('content-length')).toBeNull()
    expect([started, signal?.aborted]).toEqual([false, true])
  })
})

describe('stop', () => {
  it('lets a running response finish and refuses new connections', async () => {
    let finish: ((answer: HttpAnswer) => void) | null = null
    server = await startServer({
      http: () =>
        new Promise<HttpAnswer>((resolve) => {
          finish = resolve
        }),
    })
    const running = fetch(base())
    await vi.waitFor(() => expect(finish).not.toBeNull())
    const stopped = server.stop()
    finish!({ status: 200, headers: {}, body: 'last words' })
    expect(await (await running).text()).toBe('last words')
    await stopped
    await expect(fetch(base())).rejects.toThrow()
  })

  it('a response that the transport cannot write ends its connection and nothing else', async () => {
    server = await startServer({
      http: (call) => {
        const bad = { status: 200, headers: { x: Symbol('no text') as unknown as string }, body: 'x' }
        if (call.path === '/sync') return bad
        if (call.path === '/async') return Promise.resolve(bad)
        return { status: 200, headers: {}, body: 'fine' }
      },
    })
    for (const path of ['/sync', '/async']) await expect(fetch(base() + path)).rejects.toThrow()
    expect(await (await fetch(base())).text()).toBe('fine')
  })

  it('a port in use is a clear error', async () => {
    server = await startServer()
    const { startGateway } = await import('#server/gateway/gateway')
    const options = {
      host: '127.0.0.1',
      port: server.gateway.port,
      http: () => ({ status: 200, headers: {}, body: '' }),
    }
    await expect(
      startGateway({
        ...options,
        stream: {
          open: () => {
            throw new Error('unused')
          },
          stop: async () => undefined,
        },
      }),
    ).rejects.toThrow(/cannot listen/)
  })
})
