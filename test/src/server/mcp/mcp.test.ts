// The tools by the SDK's own client over HTTP, in front of a stub gateway.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answerCharactersMax, textOf } from '#server/mcp/answer'
import { tools } from '#server/mcp/tools'
import { freePort } from '#test/support/freePort'
import { serveMcp } from '../../../../src/cli/mcp.ts'

interface Seen {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: unknown
}
const seen: Seen[] = []
let answer: { status: number; body: unknown }
/** By path, instead of `answer`. */
let answers: Record<string, object> = {}
let gateway: Server
let served: Awaited<ReturnType<typeof serveMcp>>
let client: Client

beforeAll(async () => {
  gateway = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { pathname: path, searchParams: query } = new URL(request.url!, 'http://gateway')
      const text = Buffer.concat(chunks).toString()
      seen.push({
        method: request.method!,
        path,
        query,
        headers: request.headers,
        body: text === '' ? null : JSON.parse(text),
      })
      const own = answers[path]
      const { status, body } = own === undefined ? answer : { status: 200, body: { success: true, ...own } }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
  served = await serveMcp({ url, apiKey: 'xb_test_key' }, 0)
  client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(served.url)))
})
afterAll(async () => {
  await client?.close()
  served?.server.close()
  gateway?.close()
})
beforeEach(() => {
  seen.length = 0
  answers = {}
  answer = { status: 200, body: { success: true, data: [] } }
})

async function call(name: string, given: Record<string, unknown> = {}): Promise<{ text: string; isError: boolean }> {
  const { content, isError } = await client.callTool({ name, arguments: given })
  const [first] = content as { type: string; text: string }[]
  return { text: first!.text, isError: isError === true }
}

describe('the tools', () => {
  it('are listed with their parameters, and declare that they only read', async () => {
    const { tools: listed } = await client.listTools()
    expect(listed.map(({ name }) => name).sort()).toEqual(tools.map(({ name }) => name).sort())
    for (const { name, inputSchema, annotations, description } of listed) {
      expect(description, name).toMatch(/\.$/)
      expect(inputSchema.type, name).toBe('object')
      expect(inputSchema.additionalProperties, name).toBe(false)
      expect(annotations, name).toMatchObject({ readOnlyHint: true, destructiveHint: false })
      for (const [field, schema] of Object.entries(inputSchema.properties ?? {}))
        expect((schema as { description?: string }).description, `${name}.${field}`).toMatch(/\w{2,}/)
    }
    expect(listed.map(({ name }) => name).join()).not.toMatch(/submit|cancel|modify|arm/)
  })

  it('call the gateway with the key, and leave out what a model does not need', async () => {
    const market = {
      marketId: 'm',
      title: 'T',
      image: 'i',
      sourceMetadata: { a: 1 },
      outcomes: [{ outcomeId: 'o', price: null, x: 1 }],
    }
    answer.body = { success: true, asOf: '2026-11-23T00:00:00.000Z', data: [market] }
    const { text } = await call('search_markets', { query: 'rain', venue: 'kalshi' })
    expect(JSON.parse(text)).toEqual({
      asOf: '2026-11-23T00:00:00.000Z',
      rows: [{ marketId: 'm', title: 'T', outcomes: [{ outcomeId: 'o', price: null }] }],
    })
    expect(seen[0]).toMatchObject({
      method: 'GET',
      path: '/api/kalshi/fetchMarkets',
      headers: { authorization: 'Bearer xb_test_key' },
    })
    expect(Object.fromEntries(seen[0]!.query)).toEqual({ query: 'rain', status: 'active', limit: '10' })
  })

  it('return texts of venues without control characters and hidden text', async () => {
    answer.body = { success: true, data: [{ marketId: 'm', title: 'A\u001b[2J\u009b \u202eb\u{e0041}', outcomes: [] }] }
    const { text } = await call('search_markets')
    expect(JSON.parse(text).rows[0].title).toBe('A\ufffd[2J\ufffd \ufffdb\ufffd\ufffd')
    answer = { status: 404, body: { success: false, error: { code: 'NOT_FOUND', message: 'no \u001b[31mm' } } }
    expect(await call('market', { marketId: 'm' })).toEqual({ text: 'NOT_FOUND: no \ufffd[31mm', isError: true })
  })

  it('arbitrage takes a search, a market and a venue', async () => {
    await call('arbitrage', { query: 'btc 100k', market: 'kalshi:m', venue: 'polymarket' })
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/api/router/fetchArbitrage',
      body: { query: 'btc 100k', marketId: 'kalshi:m', venue: 'polymarket', executableOnly: true, limit: 10 },
    })
  })

  it('a search without results passes on the suggested search', async () => {
    answer.body = { success: true, data: [], meta: { suggestions: ['Bitcoin above 100k?'] } }
    for (const name of ['search_markets', 'odds'])
      expect(JSON.parse((await call(name, { query: 'bitcoin 105k' })).text)).toEqual({
        suggestions: ['Bitcoin above 100k?'],
        rows: [],
      })
  })

  it('one tool returns the prices of a question at all venues, and whether there is an edge', async () => {
    const market = (venue: string) => ({ marketId: `${venue}:m`, sourceExchange: venue, title: 'Rain?' })
    const row = { netEdge: 1.5, roi: 0.02, legs: {}, matchBand: 'verified', question: 'Rain?', clusterId: 'c' }
    answers = {
      '/api/router/fetchMarkets': { data: [market('kalshi'), market('polymarket')], asOf: '2026-11-23T00:00:00.000Z' },
      '/api/router/compareMarketPrices': {
        data: [
          {
            market: market('polymarket'),
            venue: 'polymarket',
            bestBid: 0.4,
            bestAsk: 0.42,
            matchBand: 'verified',
            polarity: 'same',
          },
        ],
        meta: { source: { venue: 'kalshi', bestBid: 0.37, bestAsk: 0.38 } },
      },
      '/api/router/fetchArbitrage': { data: [row] },
    }
    const { asOf, rows } = JSON.parse((await call('odds', { query: 'rain' })).text)
    expect(asOf).toBe('2026-11-23T00:00:00.000Z')
    // The second market of the search is the match of the first one: one question.
    expect(rows).toEqual([
      {
        question: 'Rain?',
        odds: [
          { venue: 'kalshi', marketId: 'kalshi:m', title: 'Rain?', bestBid: 0.37, bestAsk: 0.38 },
          {
            venue: 'polymarket',
            marketId: 'polymarket:m',
            title: 'Rain?',
            bestBid: 0.4,
            bestAsk: 0.42,
            polarity: 'same',
            matchBand: 'verified',
          },
        ],
        edge: { netEdge: 1.5, roi: 0.02, legs: {}, matchBand: 'verified' },
      },
    ])
    expect(seen.map(({ path }) => path)).toEqual(Object.keys(answers))
    expect(seen[2]!.body).toMatchObject({ marketId: 'kalshi:m', executableOnly: false })
  })

  it('odds report which part the gateway refused', async () => {
    answers = { '/api/router/fetchMarkets': { data: [{ marketId: 'kalshi:m', title: 'Rain?' }] } }
    answer = { status: 403, body: { success: false, error: { code: 'PLAN_REQUIRED', message: 'not in this plan' } } }
    expect(JSON.parse((await call('odds', { query: 'rain' })).text).rows).toEqual([
      {
        question: 'Rain?',
        odds: [],
        oddsUnavailable: 'PLAN_REQUIRED: not in this plan',
        edge: null,
        edgeUnavailable: 'PLAN_REQUIRED: not in this plan',
      },
    ])
  })

  it('pass on the gateway’s error message', async () => {
    answer = { status: 404, body: { success: false, error: { code: 'OUTCOME_NOT_FOUND', message: 'no such outcome' } } }
    expect(await call('order_book', { outcomeId: 'nothing' })).toEqual({
      text: 'OUTCOME_NOT_FOUND: no such outcome',
      isError: true,
    })
  })

  it.each([
    ['search_markets', { limit: 51 }],
    ['search_markets', { querry: 'x' }],
    ['order_book', {}],
    ['candles', { outcomeId: 'o', resolution: '7m' }],
    ['status', { venue: 'kalshi' }],
    ['search_markets', { query: '' }],
    ['arbitrage', { contracts: 100_001 }],
    ['arbitrage', { contracts: 0.015 }],
    ['structures', { minEdge: 2e9 }],
    ['trader', { venue: 'kalshi', wallet: 'w'.repeat(97) }],
    ['order_dry_run', { venue: 'sxbet', order: {} }],
  ])('%s refuses %j without a request', async (name, given) => {
    const refused = await call(name, given).catch((error: Error) => ({ text: error.message, isError: true }))
    expect(refused.isError).toBe(true)
    expect(refused.text).not.toMatch(/Too big|Too small|Invalid input: |Unrecognized|expected/)
    expect(seen).toEqual([])
  })

  it('an order stays a dry run, whatever the parameters', async () => {
    answer.body = { success: true, data: { unsigned: {} } }
    await call('order_dry_run', { venue: 'polymarket', order: { dryRun: false, size: 1 } })
    await call('order_dry_run', { venue: 'polymarket', order: { dryRun: false, size: 1 } })
    expect(seen.map(({ path }) => path)).toEqual(Array(2).fill('/v1/exec/polymarket/orders/build'))
    for (const { body } of seen) expect(body).toEqual({ size: 1, dryRun: true })
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(2)
  })

  it('parameters cannot change the path', async () => {
    await call('trader', { venue: 'polymarket', wallet: '../../exec/x' })
    expect(seen[0]!.path).toBe('/v1/traders/polymarket/wallets/..%2F..%2Fexec%2Fx')
  })

  it('report that the gateway is unavailable', async () => {
    const away = `http://127.0.0.1:${await freePort()}`
    const alone = await serveMcp({ url: away, apiKey: 'k' }, 0)
    const other = new Client({ name: 'test', version: '1' })
    await other.connect(new StreamableHTTPClientTransport(new URL(alone.url)))
    const { content, isError } = await other.callTool({ name: 'status', arguments: {} })
    expect(isError).toBe(true)
    expect(JSON.stringify(content)).toContain(`cannot reach the gateway at ${away}: ECONNREFUSED`)
    await other.close()
    alone.server.close()
  })
})

describe('candles', () => {
  it('that do not fit are dropped from the oldest on: the last row is the newest', async () => {
    const rows = Array.from({ length: 300 }, (_, timestamp) => ({ timestamp, text: 'x'.repeat(100) }))
    answer.body = { success: true, data: rows }
    const { leftOut, rows: kept } = JSON.parse((await call('candles', { outcomeId: 'o', limit: 300 })).text)
    expect(leftOut).toBeGreaterThan(0)
    expect(kept).toEqual(rows.slice(leftOut))
  })
})

describe('coverage', () => {
  it('continues from a cursor, and returns none that would skip rows', async () => {
    const meta = { completeUntil: null, nextCursor: 'more' }
    answer.body = { success: true, data: [{ outcomeId: 'o' }], meta, nextCursor: 'more' }
    const given = { venue: 'kalshi', cursor: 'before' }
    expect(JSON.parse((await call('coverage', given)).text)).toMatchObject({ nextCursor: 'more', rows: [{}] })
    expect(Object.fromEntries(seen[0]!.query)).toMatchObject({ cursor: 'before' })
    answer.body = { success: true, data: Array(2).fill({ text: 'x'.repeat(answerCharactersMax / 2) }), meta }
    const cut = JSON.parse((await call('coverage', given)).text)
    expect(cut).toMatchObject({ leftOut: 1 })
    expect(cut).not.toHaveProperty('nextCursor')
  })
})

describe('over HTTP', () => {
  const post = (headers: Record<string, string>, path = '/mcp'): Promise<string> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(served.url)
      const socket = connect(Number(port), '127.0.0.1', () => {
        const lines = Object.entries({
          host: `127.0.0.1:${port}`,
          'content-length': '2',
          ...headers,
          connection: 'close',
        })
        socket.write(
          `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n{}`,
        )
      })
      let text = ''
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      socket.on('close', () => resolve(text.split('\r\n')[0]!))
      socket.on('error', reject)
    })

  it('refuses pages of another origin, and other host names of this machine', async () => {
    expect(await post({ origin: 'https://evil.example' })).toContain(' 403 ')
    expect(await post({ host: 'evil.example' })).toContain(' 403 ')
    expect(await post({}, '/other')).toContain(' 404 ')
    expect(seen).toEqual([])
  })
})

describe('the size of a response', () => {
  it('is bounded: rows that do not fit are left out completely, and counted', () => {
    const rows = Array.from({ length: 1_000 }, (_, id) => ({ id, text: 'x'.repeat(100) }))
    const text = textOf({ asOf: null, rows })
    expect(text.length).toBeLessThanOrEqual(answerCharactersMax)
    const read = JSON.parse(text) as { asOf: null; leftOut: number; rows: unknown[] }
    expect(read.rows).toEqual(rows.slice(0, read.rows.length))
    expect(read.leftOut + read.rows.length).toBe(1_000)
    expect(JSON.parse(textOf({ rows: [] }))).toEqual({ rows: [] })
    expect(JSON.parse(textOf({ rows: [{ text: 'x'.repeat(answerCharactersMax) }] }))).toEqual({ leftOut: 1, rows: [] })
    expect(() => textOf({ book: 'x'.repeat(answerCharactersMax) })).toThrow(/ask for less/)
  })
})
