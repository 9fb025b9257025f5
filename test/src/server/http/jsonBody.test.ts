import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonDepthMax, parseJsonBody, parseLargeJsonBody } from '#server/http/jsonBody'
import { createWorld, keys, longId } from './world.ts'

const refusal = (body: string | Buffer): unknown => {
  try {
    parseJsonBody(Buffer.from(body as string))
    return 'taken'
  } catch (error) {
    return (error as { code?: string }).code
  }
}

describe('a malicious body', () => {
  const bombs: [string, string][] = [
    ['32,768 nested arrays', '['.repeat(32_768) + ']'.repeat(32_768 - 10)],
    ['arrays one level too deep', '['.repeat(jsonDepthMax + 1) + ']'.repeat(jsonDepthMax + 1)],
    ['7,430 keys', `{${Array.from({ length: 7_430 }, (_, i) => `"${i.toString(36)}":0`).join(',')}}`],
    ['1,001 keys', `{${Array.from({ length: 1_001 }, (_, i) => `"k${i}":0`).join(',')}}`],
    ['a number of 60,000 digits', `{"a":${'9'.repeat(60_000)}}`],
    ['a number beyond doubles', '{"a":1e999}'],
    ['a __proto__ key', '{"__proto__":{"polluted":true}}'],
    ['an escaped __proto__ key', '{"\\u005f_proto__":{"polluted":true}}'],
    ['a nested constructor key', '{"args":[{"constructor":{"prototype":{"polluted":true}}}]}'],
    ['a lone surrogate', '{"a":"\\ud800"}'],
    ['a lone surrogate key', '{"\\udfff":1}'],
    ['a NUL', '{"a":"\\u0000"}'],
    ['a duplicate key', '{"a":1,"b":{"c":1,"c":1}}'],
    ['a duplicate key, once escaped', '{"a":1,"\\u0061":2}'],
    ['half a text', '{"a":'],
    ['blank', '   '],
  ]
  it.each(bombs)('%s is rejected with 400', async (_, body) => {
    expect(refusal(body)).toBe('VALIDATION_ERROR')
    const reply = await createWorld().call('POST', '/api/polymarket/fetchMarkets', { body })
    expect([reply.status, reply.json.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('rejects bytes that are not UTF-8', () => {
    expect(refusal(Buffer.from([0x22, 0xff, 0xfe, 0x22]))).toBe('VALIDATION_ERROR')
  })

  it('rejects a body of 10 MiB with 413 before parsing it', async () => {
    const reply = await createWorld().call('POST', '/api/polymarket/fetchMarkets', {
      body: Buffer.alloc(10 * 1024 * 1024, 0x5b),
    })
    expect(reply.status).toBe(413)
  })
})

it('reads back unchanged whatever JSON.stringify prints for plain values', () => {
  const plain = fc.jsonValue({ maxDepth: 6, noUnicodeString: false })
  const harmless = (value: unknown): boolean =>
    !/__proto__|"constructor"|"prototype"|\\u0000|\\ud|e[+-]?\d{3}/.test(JSON.stringify(value))
  fc.assert(
    fc.property(plain, (value) => {
      fc.pre(harmless(value))
      expect(parseJsonBody(Buffer.from(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

it('never answers 500 for a fuzzed body, on any verb that reads one', async () => {
  const runs = process.env.CROSSBOOK_TEST_LONG === '1' ? 100_000 : 7_000
  const world = createWorld()
  const verbs = [
    'fetchMarkets',
    'fetchOrderBook',
    'fetchOrderBooks',
    'fetchTrades',
    'fetchOHLCV',
    'filterMarkets',
    'filterEvents',
    'getExecutionPrice',
    'getExecutionPriceDetailed',
    'fetchSeries',
    'fetchMarket',
    'fetchEvents',
    'loadMarkets',
    'has',
    'fetchMarketsPaginated',
    'close',
  ]
  const keysSeen = fc.constantFrom(
    'args',
    'outcomeId',
    'id',
    'limit',
    'params',
    'filter',
    'criteria',
    'markets',
    'events',
    'tags',
    'cursor',
    'start',
    'since',
    'until',
    'resolution',
    'orderBook',
    'bids',
    'asks',
    'price',
    'size',
    'side',
    'amount',
    'offset',
    'page',
    'sort',
    'credentials',
    'marketId',
    'outcomeIds',
    '__proto__',
  )
  const leaf = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      1e308,
      0.5,
      '',
      'yes',
      longId,
      'KXBTC-26',
      'polymarket:1',
      ':',
      '\u2028',
      '\ud800',
      '1h',
      '2026-01-01',
      [],
      {},
    ),
    fc.string({ maxLength: 20 }),
    fc.double(),
    fc.integer(),
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(keysSeen, tie('value'), { maxKeys: 5 }),
    ),
  }))
  const body = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.dictionary(keysSeen, value, { maxKeys: 5 }).map((made) => Buffer.from(JSON.stringify(made))),
    },
    {
      weight: 3,
      arbitrary: fc
        .record({ args: fc.array(value, { maxLength: 4 }) })
        .map((made) => Buffer.from(JSON.stringify(made))),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(value, fc.nat(200))
        .map(([made, cut]) => Buffer.from((JSON.stringify(made) ?? '').slice(0, cut))),
    },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...verbs),
      fc.constantFrom('polymarket', 'kalshi', 'router'),
      body,
      async (verb, exchange, bytes) => {
        const reply = await world.call('POST', `/api/${exchange}/${verb}`, { key: keys.builder, body: bytes })
        expect(reply.status, reply.text).not.toBe(500)
        expect([200, 400, 404, 501]).toContain(reply.status)
      },
    ),
    { numRuns: runs },
  )
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
}, 600_000)

it('never answers 500 for a fuzzed query', async () => {
  const world = createWorld()
  const name = fc.constantFrom(
    'outcomeId',
    'limit',
    'cursor',
    'tags',
    'filter',
    '__proto__',
    'since',
    'until',
    'sort',
    'offset',
    '%',
    '%00',
    'a+b',
    'markets',
  )
  const text = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom('%', '%ff', '%00', '[', '{', '[[', '1e999', longId, '{"__proto__":1}', encodeURIComponent('{"a":')),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('fetchMarkets', 'fetchOrderBook', 'fetchTrades', 'filterMarkets'),
      fc.array(fc.tuple(name, text), { maxLength: 4 }),
      async (verb, pairs) => {
        const query = pairs.map(([key, value]) => `${key}=${value}`).join('&')
        const reply = await world.call('GET', `/api/router/${verb}?${query}`, { key: keys.builder })
        expect([200, 400, 404, 501], reply.text).toContain(reply.status)
      },
    ),
    { numRuns: 3_000 },
  )
}, 120_000)

describe('large bodies, parsed in slices', () => {
  const outcome = async (parse: () => unknown): Promise<unknown> => {
    try {
      return { value: await parse() }
    } catch (error) {
      return { refused: (error as Error).message }
    }
  }

  it('are parsed like small ones, also when a slice ends within a text, a number or an escape', async () => {
    const filler = fc.nat({ max: 300 }).map((more) => ' '.repeat(256 * 1024 - 150 + more))
    const hurtful = fc.constantFrom(
      '{"a":1,"a":2}',
      '{"__proto__":1}',
      '"\\ud800"',
      '9'.repeat(60),
      '1e999',
      '[',
      '"\\"',
    )
    const text = fc.oneof({ weight: 4, arbitrary: fc.json({ maxDepth: 6 }) }, { weight: 1, arbitrary: hurtful })
    await fc.assert(
      fc.asyncProperty(filler, text, async (spaces, json) => {
        const body = Buffer.from(`[1${spaces},${json}]`)
        expect(await outcome(() => parseLargeJsonBody(body))).toEqual(await outcome(() => parseJsonBody(body)))
      }),
      { numRuns: 100 },
    )
  })

  it('are limited in the number of values', async () => {
    const body = Buffer.from(`[${'0,'.repeat(1_000_000)}0]`)
    expect(await outcome(() => parseLargeJsonBody(body))).toEqual({ refused: expect.stringContaining('values') })
  })

  it('filterMarkets accepts two megabytes of rows without blocking other requests', async () => {
    const world = createWorld()
    const rows = Array.from({ length: 900 }, (_, i) => ({ title: `row ${i}`, volume24h: i, text: 'x'.repeat(2_000) }))
    const body = JSON.stringify({ args: [rows, { volume24h: { min: 890 } }] })
    expect(body.length).toBeGreaterThan(1_800_000)
    let turns = 0
    let isDone = false
    const count = (): void => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    const { status, json } = await world.call('POST', '/api/polymarket/filterMarkets', { body })
    isDone = true
    expect(status).toBe(200)
    expect(json.data.map((row: { volume24h: number }) => row.volume24h)).toEqual(
      rows.slice(890).map((row) => row.volume24h),
    )
    expect(json).toMatchObject({ success: true, provenance: { source: 'computed' } })
    expect(turns).toBeGreaterThan(10)
    const other = await world.call('POST', '/api/polymarket/fetchMarkets', { body })
    expect([other.status, other.json.error.code]).toEqual([413, 'VALIDATION_ERROR'])
  })
})
