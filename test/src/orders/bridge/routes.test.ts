import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { decodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bridgeRoutes } from '#orders/bridge/index'
import { servedVenues } from '#schemas/venues'
import { commonErrors } from '#server/http/defineRoute'
import type { Reply } from '#test/src/server/http/world'
import { withPostgres } from '#test/support/postgres'
import { type BridgeWorld, baseUsdc, createBridgeWorld, deposits, payer, paymentCurrency, wanted } from './world.ts'

const pg = withPostgres()
let bridge: BridgeWorld
/** Every line the program logged. */
let logged = ''
beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  bridge = await createBridgeWorld(pg.pool, { log: pino({ level: 'trace' }, sink) as never })
})
afterAll(() => bridge.stop())
afterEach(() => {
  bridge.lab.faults.recover()
  bridge.lab.capacityUsd = 50_000
  bridge.actAs(0)
})

const statusAndCode = (reply: Reply) => [reply.status, reply.json?.error?.code]
const quote = (body: object = {}) => bridge.world.post('/v1/bridge/quote', { ...wanted, ...body })
const open = (body: object = {}) => bridge.world.post('/v1/bridge/session', { ...wanted, paymentCurrency, ...body })
const opened = async (body: object = {}): Promise<string> => (await open(body)).json.data.sessionId
const look = (id: string) => bridge.world.get(`/v1/bridge/session/${id}`)
const pay = (id: string, body: object) => bridge.world.post(`/v1/bridge/session/${id}/payment`, body)
const hash = (byte: string): string => `0x${byte.repeat(32)}`

describe('a quote', () => {
  it('returns the payment options of the provider, the settlement and the remaining steps at the venue', async () => {
    const reply = await quote()
    expect(reply.status).toBe(200)
    expect(reply.json.data).toEqual([
      expect.objectContaining({ paymentCurrency, transactionAmount: '10', totalFeeUSD: expect.any(String) }),
    ])
    expect(reply.json.meta).toEqual({
      asOf: expect.any(String),
      provenance: { source: 'glide' },
      settlement: {
        chain: 'eip155:4162',
        token: '0x6629Ce1Cf35Cc1329ebB4F63202F3f197b3F050B',
        symbol: 'USDC',
        decimals: 6,
        recipient: payer,
        afterwards: expect.stringContaining('proxy wallet'),
      },
    })
  })

  it.each([
    ['one millionth', '1', '0.000001'],
    ['a dollar', '1000000', '1'],
    ['all six decimals', '12345678', '12.345678'],
    ['more than a double holds', '9007199254740993', '9007199254.740993'],
  ])('keeps amounts exact to the last digit: %s', async (_, fromAmount, amount) => {
    bridge.lab.capacityUsd = Number.MAX_SAFE_INTEGER
    for (const toVenue of ['sxbet', 'opinion', 'hyperliquid'])
      expect((await quote({ fromAmount, toVenue })).json.data[0].transactionAmount, toVenue).toBe(amount)
  })

  it('returns 404 for an unsupported token and for an amount beyond capacity', async () => {
    const usdt = { fromChain: '42161', fromToken: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9' }
    expect(statusAndCode(await quote(usdt))).toEqual([404, 'BRIDGE_NO_ROUTE'])
    // The provider's lists have neither this chain nor this token.
    for (const toVenue of ['predictstreet', 'rain'])
      expect(statusAndCode(await quote({ toVenue }))).toEqual([404, 'BRIDGE_NO_ROUTE'])
    bridge.lab.capacityUsd = 9
    expect(statusAndCode(await quote())).toEqual([404, 'BRIDGE_NO_ROUTE'])
    expect(statusAndCode(await open())).toEqual([404, 'BRIDGE_NO_ROUTE'])
  })
})

describe('a session', () => {
  it('returns the response of the provider byte for byte, with the caller as payer and the calldata as input', async () => {
    const { status, text, json } = await open()
    expect(status).toBe(200)
    const { data, meta } = json
    expect(data).toMatchObject({
      paymentStatus: 'unpaid',
      paymentAction: 'signAndSendTransaction',
      paymentAmount: '10',
      paymentCurrency,
      unsignedTransaction: { chainId: 'eip155:8453', from: payer, to: baseUsdc, value: '0x0' },
    })
    const { args } = decodeFunctionData({ abi: erc20Abi, data: data.unsignedTransaction.input as Hex })
    expect(args?.[1]).toBe(10_000_000n)
    expect(meta.provenance).toEqual({ source: 'glide' })
    expect(meta.settlement.recipient).toBe(payer)
    // Unchanged, including the order of its keys.
    expect(text).toContain(`"data":${JSON.stringify(data)}`)
  })

  it('goes from unpaid to paid and settled', async () => {
    const id = await opened()
    expect((await look(id)).json.data.paymentStatus).toBe('unpaid')
    // The lab's node sees a transaction on the second request; one call here makes both requests.
    expect((await pay(id, { transactionHash: hash('ab') })).json).toMatchObject({
      success: true,
      data: { success: true },
      meta: { provenance: { source: 'glide' } },
    })
    const shown = (await look(id)).json
    expect(shown.data).toMatchObject({ sessionId: id, paymentTransactionHash: hash('ab') })
    expect(['waiting_confirmations', 'paid']).toContain(shown.data.paymentStatus)
    expect(shown.meta).toEqual({ asOf: expect.any(String), provenance: { source: 'glide' } })
  })

  it('is paid by a signed permit when the payer has no gas', async () => {
    const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
    const fromToken = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
    const currency = `eip155:1/erc20:${fromToken}`
    const reply = await open({ fromChain: '1', fromToken, fromAddress: account.address, paymentCurrency: currency })
    const { sessionId, paymentAction, unsignedTypedData } = reply.json.data
    expect(paymentAction).toBe('signTypedData')
    const signature = await account.signTypedData(unsignedTypedData)
    expect(statusAndCode(await pay(sessionId, { signature: hash('11').padEnd(132, '1') }))).toEqual([
      502,
      'BRIDGE_UPSTREAM',
    ])
    expect((await pay(sessionId, { signature })).json.data).toEqual({ success: true })
    expect((await look(sessionId)).json.data.paymentStatus).not.toBe('unpaid')
  })

  it.each([...deposits])('reaches %s, with the payer as the only recipient', async (toVenue, deposit) => {
    const reply = await open({ toVenue })
    expect(reply.json.meta?.settlement ?? statusAndCode(reply)).toEqual(
      ['rain', 'predictstreet'].includes(toVenue)
        ? [502, 'BRIDGE_UPSTREAM']
        : { afterwards: null, ...deposit, recipient: payer },
    )
  })

  it.each(['kalshi', 'gemini', 'polymarket_us', 'novig', 'xo', 'pascal', 'pred', 'myriad', 'kalshi-demo', 'nowhere'])(
    'rejects %s: its settlement currency is unknown or not on a chain',
    async (toVenue) => {
      const replies = [await quote({ toVenue }), await open({ toVenue })]
      for (const reply of replies) {
        expect(statusAndCode(reply)).toEqual([400, 'BRIDGE_UNSUPPORTED'])
        expect(reply.json.error.message).toContain('sxbet')
      }
    },
  )

  it('takes any name of a venue, and rejects a venue that is not served', async () => {
    expect((await quote({ toVenue: 'SXBet' })).status).toBe(200)
    expect(statusAndCode(await quote({ toVenue: 'smarkets' }))).toEqual([404, 'EXCHANGE_NOT_AVAILABLE'])
  })

  it('returns 404 for the session of another account and for an unknown id', async () => {
    const id = await opened()
    bridge.actAs(1)
    for (const name of [id, 'lab', 'x'.repeat(200), '%20', '%F0%9F%99%82', '..%2Fsessions']) {
      expect(statusAndCode(await look(name)), name).toEqual([404, 'BRIDGE_SESSION_NOT_FOUND'])
      expect(statusAndCode(await pay(name, { transactionHash: hash('ab') }))).toEqual([404, 'BRIDGE_SESSION_NOT_FOUND'])
    }
  })

  it('returns 404 for a session that the provider no longer knows', async () => {
    const { rows } = await pg.pool.query<{ session_id: string }>(
      `INSERT INTO bridge_sessions VALUES ('glide', 'forgotten', $1, 'sxbet', now()) RETURNING session_id`,
      [bridge.accountIds[0]],
    )
    const id = rows[0]!.session_id
    expect(statusAndCode(await look(id))).toEqual([404, 'BRIDGE_SESSION_NOT_FOUND'])
    expect(statusAndCode(await pay(id, { transactionHash: hash('ab') }))).toEqual([404, 'BRIDGE_SESSION_NOT_FOUND'])
  })

  it('rejects a token with unknown decimals, because what is to be signed cannot be checked', async () => {
    const fromToken = `0x${'ab'.repeat(20)}`
    for (const reply of [
      await quote({ fromToken }),
      await open({ fromToken, paymentCurrency: `eip155:8453/erc20:${fromToken}` }),
    ]) {
      expect(statusAndCode(reply)).toEqual([400, 'BRIDGE_UNSUPPORTED'])
      expect(reply.json.error.message).toMatch(/^fromToken: /)
    }
  })

  it('stores its purpose and only a hash of the payer', async () => {
    const id = await opened()
    const { rows } = await pg.pool.query('SELECT * FROM bridge_sessions WHERE session_id = $1', [id])
    expect(rows).toEqual([
      {
        provider: 'glide',
        session_id: id,
        account_id: bridge.accountIds[0],
        to_venue: 'sxbet',
        agreed: expect.objectContaining({ payer: expect.stringMatching(/^[\w-]{43}$/) }),
        created_at: expect.any(Date),
      },
    ])
    expect(JSON.stringify(rows)).not.toContain(payer.slice(2))
  })

  it('rejects a signature when the session requested a transaction', async () => {
    const reply = await pay(await opened(), { signature: `0x${'11'.repeat(65)}` })
    expect(statusAndCode(reply)).toEqual([400, 'VALIDATION_ERROR'])
    expect(reply.json.error.message).toMatch(/^signature: /)
  })
})

it('returns 404 for a transaction that no node knows, after ten requests', async () => {
  const id = await opened()
  const before = bridge.lab.counters().httpRequests['/update-payment-transaction'] ?? 0
  expect(statusAndCode(await pay(id, { transactionHash: hash('00') }))).toEqual([404, 'BRIDGE_TRANSACTION_NOT_FOUND'])
  expect(bridge.lab.counters().httpRequests['/update-payment-transaction']).toBe(before + 10)
  expect((await look(id)).json.data.paymentStatus).toBe('unpaid')
})

/** Mixed case, with one letter of the checksum wrong. */
function misspelt(address: string): string {
  const right = getAddress(address)
  const at = right.slice(2).search(/[A-F]/) + 2
  return `${right.slice(0, at)}${right[at]!.toLowerCase()}${right.slice(at + 1)}`
}

describe('the fields of a transfer', () => {
  it('takes an address in one case, or in mixed case with a valid checksum', async () => {
    for (const fromAddress of [payer, getAddress(payer), `0x${payer.slice(2).toUpperCase()}`])
      expect((await quote({ fromAddress })).json.meta.settlement.recipient).toBe(payer)
  })

  it.each<[field: string, wrong: unknown[]]>([
    ['fromChain', [undefined, '', '0', '01', '-1', '1.5', '0x1', 'eip155:1', '1'.repeat(16), 8453, null]],
    [
      'fromToken',
      [
        undefined,
        '',
        'USDC',
        `0x${'0'.repeat(40)}`,
        misspelt(baseUsdc),
        `0x${'a'.repeat(39)}`,
        `0x${'a'.repeat(41)}`,
        `0x${'g'.repeat(40)}`,
        7,
      ],
    ],
    ['fromAmount', [undefined, '', '0', '00', '1.0', '-1', '+1', '1e6', ' 1', '9'.repeat(19), 10_000_000, null]],
    [
      'fromAddress',
      [undefined, '', payer.slice(2), `${payer}0`, 'vitalik.eth', `0x${'0'.repeat(40)}`, misspelt(payer), {}],
    ],
    ['toVenue', [undefined, 7, null, []]],
    ['paymentCurrency', [undefined, '', baseUsdc, 'eip155:8453', 'eip155:8453/slip44:60', 'solana:101/token:x', 1]],
  ])('rejects an invalid %s', async (field, wrong) => {
    for (const value of wrong) {
      const reply = await open({ [field]: value })
      expect([value, ...statusAndCode(reply)]).toEqual([value, 400, 'VALIDATION_ERROR'])
      expect(reply.json.error.message).toMatch(new RegExp(`^${field}`))
    }
  })

  it('rejects a payment in another token than the request names', async () => {
    for (const other of [`eip155:1/erc20:${baseUsdc}`, `eip155:8453/erc20:0x${'ab'.repeat(20)}`]) {
      const reply = await open({ paymentCurrency: other })
      expect(statusAndCode(reply)).toEqual([400, 'VALIDATION_ERROR'])
      expect(reply.json.error.message).toMatch(/^paymentCurrency: /)
    }
    const checksummed = 'eip155:8453/erc20:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
    expect((await open({ paymentCurrency: checksummed })).status).toBe(200)
  })

  it('rejects an amount below the minimum', async () => {
    const reply = await open({ fromAmount: '1' })
    expect(statusAndCode(reply)).toEqual([400, 'VALIDATION_ERROR'])
    expect(reply.json.error.message).toMatch(/^fromAmount: /)
  })

  it.each<[string, object]>([
    ['nothing', {}],
    ['both', { transactionHash: hash('ab'), signature: `0x${'11'.repeat(65)}` }],
    ['half a hash', { transactionHash: '0xab' }],
    ['a hash without its prefix', { transactionHash: 'ab'.repeat(32) }],
    ['a hash that is too long', { transactionHash: `${hash('ab')}ab` }],
    ['a signature of nothing', { signature: '0x' }],
    ['half a byte', { signature: `0x${'11'.repeat(64)}1` }],
    ['a signature of any length', { signature: `0x${'11'.repeat(5_000)}` }],
    ['a number', { transactionHash: 7 }],
    ['a key', { privateKey: hash('ab') }],
  ])('rejects %s as proof of payment', async (_, body) => {
    expect(statusAndCode(await pay('x', body))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('a provider that fails', () => {
  /** The response of each route during the failure; none may contain text of the provider. */
  async function everywhere(id: string, isPassing = true): Promise<unknown[][]> {
    const replies = [await quote(), await open(), await look(id), await pay(id, { transactionHash: hash('cd') })]
    for (const reply of replies) {
      expect(reply.json.error.retryable).toBe(isPassing)
      expect(reply.json.error.message).toMatch(/^the bridge’s provider/)
      expect(reply.json.error.exchange).toBeUndefined()
    }
    return replies.map(statusAndCode)
  }
  const all = (status: number, code: string) => Array.from({ length: 4 }, () => [status, code])

  it.each([500, 502, 503, 408, 401, 403, 418])('returns BRIDGE_UPSTREAM for status %i', async (status) => {
    const id = await opened()
    bridge.lab.faults.http({ status })
    // A wrong key of ours is also wrong on the next try.
    expect(await everywhere(id, status >= 500 || status === 408)).toEqual(all(502, 'BRIDGE_UPSTREAM'))
  })

  it.each(['html', 'garbage', 'empty', 'huge'] as const)(
    'returns BRIDGE_UPSTREAM for a response that is %s',
    async (as) => {
      const id = await opened()
      bridge.lab.spoil(as, 4)
      expect(await everywhere(id)).toEqual(all(502, 'BRIDGE_UPSTREAM'))
    },
  )

  it('returns BRIDGE_PROVIDER_UNAVAILABLE for a timeout and for a refused connection', async () => {
    bridge.lab.faults.slow({ delayMs: 60_000 })
    const slow = bridge.worldBefore(bridge.providerWith({ timeoutMs: 30 }))
    const unreachable = bridge.worldBefore(bridge.providerWith({ url: 'http://127.0.0.1:1' }))
    for (const world of [slow, unreachable]) {
      const reply = await world.post('/v1/bridge/quote', wanted)
      expect(statusAndCode(reply)).toEqual([503, 'BRIDGE_PROVIDER_UNAVAILABLE'])
      expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/)
    }
  })

  it('sends no requests after a 429 for as long as the provider asks', async () => {
    const world = bridge.worldBefore(bridge.providerWith())
    const requestCount = () => bridge.lab.counters().httpRequests['/list-payment-options'] ?? 0
    bridge.lab.faults.http({ status: 429, count: 1, retryAfterSeconds: 7 })
    const before = requestCount()
    for (const _ of [1, 2]) {
      const reply = await world.post('/v1/bridge/quote', wanted)
      expect([...statusAndCode(reply), reply.headers['retry-after']]).toEqual([503, 'BRIDGE_PROVIDER_UNAVAILABLE', '7'])
    }
    expect(requestCount()).toBe(before + 1)
  })

  it('returns BRIDGE_UPSTREAM for a rejected key, and shows the key in no response or log line', async () => {
    const world = bridge.worldBefore(bridge.providerWith({ apiKey: 'canary-5b1f' }))
    const reply = await world.post('/v1/bridge/quote', wanted)
    expect(statusAndCode(reply)).toEqual([502, 'BRIDGE_UPSTREAM'])
    expect(`${reply.text}${logged}`).not.toContain('canary-5b1f')
  })

  it('shows no text of the provider in a response or log line', async () => {
    const stub = await startStub({ error: 'CANARY-words', code: 'canary' }, 400)
    const world = bridge.worldBefore(bridge.providerWith({ url: stub.url }))
    const reply = await world.post('/v1/bridge/quote', wanted)
    expect(statusAndCode(reply)).toEqual([502, 'BRIDGE_UPSTREAM'])
    expect(logged).toContain('status 400')
    expect(`${reply.text}${logged}`).not.toMatch(/CANARY/i)
    await stub.stop()
  })
})

/** Gives the same response to every request. */
async function startStub(body: unknown, status = 200) {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

describe('an invalid session from the provider', () => {
  it.each<[string, object]>([
    ['has nothing to sign', { sessionId: 's', paymentCurrency, paymentAmount: '10' }],
    ['asks for more than the requested amount', { sessionId: 's', paymentAmount: '10.000001' }],
    ['asks for an unparsable amount', { sessionId: 's', paymentAmount: '1e1' }],
    ['asks for another currency', { sessionId: 's', paymentCurrency: `eip155:1/erc20:${baseUsdc}` }],
    ['has no session', { paymentAmount: '10' }],
    ['has an invalid session id', { sessionId: 'a b' }],
    ['has a session id that is too long', { sessionId: 'x'.repeat(129) }],
    ['is a list', []],
  ])('%s', async (_, answer) => {
    const stub = await startStub(answer)
    const world = bridge.worldBefore(bridge.providerWith({ url: stub.url }))
    const reply = await world.post('/v1/bridge/session', { ...wanted, paymentCurrency })
    expect(statusAndCode(reply)).toEqual([502, 'BRIDGE_UPSTREAM'])
    await stub.stop()
  })

  it('is rejected if it has the id of another session or one that another account has', async () => {
    const { data } = (await open()).json
    const stub = await startStub({ ...data, sessionId: 'twice' })
    const world = bridge.worldBefore(bridge.providerWith({ url: stub.url }))
    expect((await world.post('/v1/bridge/session', { ...wanted, paymentCurrency })).status).toBe(200)
    await pg.pool.query(`INSERT INTO bridge_sessions VALUES ('glide', 'mine', $1, 'sxbet', now())`, [
      bridge.accountIds[0],
    ])
    expect(statusAndCode(await world.get('/v1/bridge/session/mine'))).toEqual([502, 'BRIDGE_UPSTREAM'])
    bridge.actAs(1, world)
    expect(statusAndCode(await world.post('/v1/bridge/session', { ...wanted, paymentCurrency }))).toEqual([
      502,
      'BRIDGE_UPSTREAM',
    ])
    expect(statusAndCode(await world.get('/v1/bridge/session/twice'))).toEqual([404, 'BRIDGE_SESSION_NOT_FOUND'])
    await stub.stop()
  })
})

it('makes one request for concurrent equal reads, and does not end it when the first caller leaves', async () => {
  const id = await opened()
  const { rows } = await pg.pool.query('SELECT agreed FROM bridge_sessions WHERE session_id = $1', [id])
  const made = { sessionId: id, agreed: rows[0].agreed }
  const provider = bridge.providerWith()
  const requestCount = () => bridge.lab.counters().httpRequests['/sessions/:id'] ?? 0
  const before = requestCount()
  const gone = AbortSignal.abort()
  const { signal } = new AbortController()
  const found = await Promise.all(
    [gone, signal, signal].map((each, i) => provider.find(made, { account: `${i}`, signal: each })),
  )
  expect(found.map((each) => each?.value.sessionId)).toEqual([id, id, id])
  expect(requestCount()).toBe(before + 1)
  await provider.find(made, { account: '0', signal })
  expect(requestCount()).toBe(before + 2)
})

it('docs/bridge.md states the settlement of every venue that is reached, and names the others', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../../docs/bridge.md', import.meta.url)), 'utf8')
  const [, part] = /## Where the money goes\n([\s\S]*?)\n## /.exec(page)!
  const cut = part!.indexOf('Any other venue')
  const names = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!)
  const rows = part!.slice(0, cut).split('\n').slice(3)
  expect(rows.flatMap((row) => names(row.split('|')[1] ?? '')).toSorted()).toEqual([...deposits.keys()].toSorted())
  const others = servedVenues.filter((venue) => !deposits.has(venue))
  const named = names(part!.slice(cut)).filter((name) => name === name.toLowerCase())
  expect(named.toSorted()).toEqual([...others].toSorted())
})

const spec = fileURLToPath(new URL('../../../../../shared/spec.md', import.meta.url))
const facts = fileURLToPath(new URL('../../../../../shared/facts/', import.meta.url))
const isThere = existsSync(spec)

describe.skipIf(!isThere)(
  isThere ? 'the specification' : 'needs ../shared, which is missing next to this checkout',
  () => {
    it('lists only error codes that routes return, and the body fields of a session', () => {
      const text = readFileSync(spec, 'utf8')
      const part = text.slice(
        text.indexOf('### Funding bridge'),
        text.indexOf('### Venue metrics and capability reads'),
      )
      const session = bridgeRoutes.find(({ operationId }) => operationId === 'createBridgeSession')!
      const [, fields] = /Body fields \(all strings\): (.*?)\. Response/.exec(part)!
      const named = [...fields!.matchAll(/`(\w+)`/g)].map(([, name]) => name!).filter((name) => name !== 'sxbet')
      expect(Object.keys((session.body as { shape?: object }).shape!)).toEqual(named)
      const [, refusals] = /Errors: (.*?)\. Hyperliquid/.exec(part)!
      const known: readonly string[] = [...commonErrors(session), ...session.errors]
      for (const [, code] of refusals!.matchAll(/`(\w+)`/g)) expect(known).toContain(code)
      const everywhere = new Set(bridgeRoutes.flatMap(({ errors }) => errors as readonly string[]))
      for (const [, code] of text.matchAll(/`(BRIDGE_\w+)`/g)) expect(everywhere).toContain(code)
      expect(deposits.has('sxbet') && deposits.get('hyperliquid')?.chain === 'hypercore:mainnet').toBe(true)
    })

    it('agrees with the collected facts on the token and chain of every deposit', () => {
      const bridgeFacts = readFileSync(`${facts}bridge-glide.md`, 'utf8').toLowerCase()
      for (const [venue, { chain, token }] of deposits) {
        const words = `${bridgeFacts}${readFileSync(`${facts}venues/${venue}.md`, 'utf8').toLowerCase()}`
        expect(words, venue).toContain(token.toLowerCase())
        expect(words, venue).toContain(chain.split(':')[1])
      }
    })
  },
)
