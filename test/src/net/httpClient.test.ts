// Against a server on loopback.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '#net/httpClient'

const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('signs a request when it is sent: neither the wait for the rate limit nor a retry makes its signature old', async () => {
  let made = 0
  const seen: { made: number; signature: string | undefined; plain: string | undefined }[] = []
  const url = await serve(({ headers }, response) => {
    seen.push({ made, signature: headers['x-signature'] as string, plain: headers['x-plain'] as string })
    response.statusCode = seen.length === 1 ? 503 : 200
    response.end('{}')
  })
  const client = createHttpClient({ venue: 'kalshi', requestsPerSecond: 2 })
  stops.push(() => client.close())
  const signed = () =>
    client.request({ url, headers: { 'x-plain': 'p' }, sign: () => ({ 'x-signature': String(++made) }) })
  const responses = [signed(), signed(), signed()]
  // Requests that wait for the next second are not signed yet.
  await responses[1]
  expect(made).toBeLessThan(4)
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200, 200])
  // Each sending, including the second attempt of the first, had its own signature.
  expect(seen.map(({ signature }) => signature).sort()).toEqual(['1', '2', '3', '4'])
  expect(new Set(seen.map(({ plain }) => plain))).toEqual(new Set(['p']))
})

it('a streamed response has no body, may be longer than others, and fails when its consumer fails', async () => {
  const piece = Buffer.alloc(1024 * 1024, 0x20)
  const pieces = 40
  let status = 200
  const url = await serve((_, response) => {
    response.statusCode = status
    if (status !== 200) return void response.end('{"error":"no"}')
    let left = pieces
    const more = (): void => {
      while (left-- > 0) if (!response.write(piece)) return void response.once('drain', more)
      response.end()
    }
    more()
  })
  const client = createHttpClient({ venue: 'hyperliquid', requestsPerSecond: 100 })
  stops.push(() => client.close())
  let taken = 0
  const take = ({ length }: Buffer): void => {
    taken += length
  }
  expect(await client.request({ url, take })).toMatchObject({ status: 200, body: undefined })
  expect(taken).toBe(pieces * piece.length)
  await expect(client.request({ url })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  const broken = client.request({
    url,
    take() {
      throw new SyntaxError('no list')
    },
  })
  await expect(broken).rejects.toMatchObject({ code: 'NETWORK_ERROR', detail: 'no list' })
  // A refusal is read as usual.
  status = 404
  expect(await client.request({ url, take })).toMatchObject({ status: 404, body: { error: 'no' } })
})

describe('a response that would block the event loop', () => {
  const megabytes = 17 * 1024 * 1024
  const hostile: [name: string, opening: string, unit: string, detail: string][] = [
    ['nested brackets', '[', '[', 'nested deeper than 64 levels'],
    ['nested objects', '[', '{"a":', 'nested deeper than 64 levels'],
    ['empty lists', '[', '[],', 'more than 500000 values'],
    ['one number', '[', '1234567890', 'a text or number of more than 1048576 bytes'],
    ['blanks', '[', ' ', 'a text or number of more than 1048576 bytes'],
    ['one text', '["', '\\n\\"', 'a text or number of more than 1048576 bytes'],
  ]
  it.each(hostile)('is cut off while it is sent: %s', async (_, opening, unit, detail) => {
    let sent = 0
    const url = await serve((__, response) => {
      const piece = Buffer.from(unit.repeat(Math.ceil((256 * 1024) / unit.length)))
      response.write(opening)
      const more = (): void => {
        while (sent < megabytes && !response.destroyed) {
          sent += piece.length
          if (!response.write(piece)) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    })
    const client = createHttpClient({ venue: 'kalshi', requestsPerSecond: 100 })
    stops.push(() => client.close())
    await expect(client.request({ url })).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
      message: 'kalshi answered with more than can be read',
      detail,
    })
    expect(sent).toBeLessThan(megabytes)
  })

  it('is parsed in slices when it is long, and refused when it is not JSON', async () => {
    const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, price: '0.5', [`key${id % 7}`]: null }))
    const text = JSON.stringify({ cursor: 'c', rows })
    const answers: [number, string][] = [
      [200, text],
      [200, `${text}]`],
      [404, `${text}]`],
    ]
    const url = await serve((_, response) => {
      const [status, body] = answers.shift()!
      response.statusCode = status
      response.end(body)
    })
    const client = createHttpClient({ venue: 'kalshi', requestsPerSecond: 100 })
    stops.push(() => client.close())
    let others = 0
    let reading = true
    const other = (): void => {
      others++
      if (reading) setImmediate(other)
    }
    other()
    expect((await client.request({ url })).body).toEqual({ cursor: 'c', rows })
    reading = false
    // 90,000 values, in slices of 10,000.
    expect(others).toBeGreaterThan(9)
    await expect(client.request({ url })).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
      message: 'the venue answered with a body that is not JSON',
    })
    expect((await client.request({ url })).body).toEqual({ error: text.slice(0, 500) })
  })

  it('is not cut off when brackets, commas and escapes are inside text, wherever its chunks end', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => ({ id: i, text: `[{"${'[,{\\"'.repeat(40)}` }))
    const body = Buffer.from(JSON.stringify(rows))
    const url = await serve((__, response) => {
      for (let at = 0; at < body.length; at += 9_973) response.write(body.subarray(at, at + 9_973))
      response.end()
    })
    const client = createHttpClient({ venue: 'kalshi', requestsPerSecond: 100 })
    stops.push(() => client.close())
    expect((await client.request({ url })).body).toEqual(rows)
  })
})
