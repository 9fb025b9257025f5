// What a relayed order's answer proves: every status × every body × every lane. An order ends as `failed` only on the venue's own parsed
// refusal, under a status at which the venue's documents tell of one; whatever else comes, the order may rest.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Fault } from '#lib/fault'
import type { HttpClient, HttpSender, SendOutcome } from '#net/http'
import { laneCases, type OpenCase } from '#test/support/laneCases'
import { buildOrder, executionOf, stored } from '#test/support/laneWorld'
import type { LaneExecution, RelayOutcome } from '#venues/lane'
import { type LaneVenue, lanes } from '#venues/registry'
import { parseJson } from '#venues/shared/exec/relay'

const statuses = [
  200, 201, 204, 301, 302, 400, 401, 403, 404, 408, 409, 413, 422, 425, 429, 499, 500, 502, 503, 504, 520, 524,
]

/** Acceptances of orders that were matched at once, in part. */
const matchedAtOnce: Readonly<Record<LaneVenue, object>> = {
  polymarket: {
    success: true,
    orderID: '0x'.padEnd(66, 'a'),
    status: 'matched',
    makingAmount: '1',
    takingAmount: '4.5',
    tradeIDs: ['t'],
  },
  kalshi: { order_id: 'o-1', fill_count: '4.50', remaining_count: '5.50' },
  gemini: {
    orderId: 145,
    status: 'open',
    symbol: 'GEMI-A',
    side: 'buy',
    outcome: 'yes',
    quantity: '10',
    filledQuantity: '4.5',
  },
  polymarket_us: { id: 'o-1', executions: [{ type: 'EXECUTION_TYPE_PARTIAL_FILL', order: { cumQuantity: 4.5 } }] },
  hyperliquid: {
    status: 'ok',
    response: { type: 'order', data: { statuses: [{ filled: { oid: 1, totalSz: '4.5', avgPx: '0.5' } }] } },
  },
}

interface Words {
  /** An id of the venue's. */
  ref: string
  acceptance: { order: string; cancel: string }
  /** The venue's own refusal of the order, and the statuses under which its documents tell of it. */
  refusal: { text: string; under: readonly number[] }
  wrongKey: { text: string; under: readonly number[] } | null
  /** Its own word that it limits requests; null: none is documented. */
  limited: { text: string; under: readonly number[] } | null
  /** A repeat of our own order. */
  duplicate: { text: string; under: readonly number[] } | null
}

const json = JSON.stringify
const plain4xx = [400, 401, 403, 404, 409, 413, 422]
const orderId = '0x'.padEnd(66, 'a')

const words: Readonly<Record<LaneVenue, Words>> = {
  polymarket: {
    ref: orderId,
    acceptance: {
      order: json({ success: true, orderID: orderId, status: 'live', errorMsg: '' }),
      cancel: json({ canceled: [orderId], not_canceled: {} }),
    },
    refusal: { text: json({ error: 'not enough balance / allowance' }), under: [400] },
    wrongKey: { text: json({ error: 'Unauthorized/Invalid api key' }), under: [400, 401] },
    limited: { text: json({ error: 'Too Many Requests' }), under: [429] },
    duplicate: { text: json({ error: 'order 0x1 is invalid. Duplicated.' }), under: [400] },
  },
  kalshi: {
    ref: 'f0f4f8e2-0001-4000-8000-000000000001',
    acceptance: { order: json({ order_id: 'o-1', client_order_id: 'c-1' }), cancel: json({ order_id: 'o-1' }) },
    refusal: { text: json({ error: { code: 'insufficient_balance', message: 'x' } }), under: [400, 404, 413, 422] },
    wrongKey: { text: json({ error: { code: 'authentication_error', details: 'NOT_FOUND' } }), under: [401, 403] },
    limited: { text: json({ error: 'too many requests' }), under: [429] },
    duplicate: { text: json({ error: { code: 'order_already_exists' } }), under: [409] },
  },
  gemini: {
    ref: '145000000000000001',
    acceptance: {
      order:
        '{"orderId":145000000000000001,"status":"open","symbol":"GEMI-A","side":"buy","outcome":"yes","quantity":"10","price":"0.2"}',
      cancel: json({ result: 'ok', message: 'Order 1 cancelled' }),
    },
    refusal: {
      text: json({ result: 'error', reason: 'InsufficientFunds', message: 'x' }),
      under: [200, ...plain4xx],
    },
    wrongKey: { text: json({ result: 'error', reason: 'InvalidSignature' }), under: [200, ...plain4xx] },
    limited: { text: json({ result: 'error', reason: 'RateLimit' }), under: [200, 429, ...plain4xx] },
    duplicate: { text: json({ error: 'DuplicateOrder', message: 'x' }), under: plain4xx },
  },
  polymarket_us: {
    ref: '8f0b7a56-0001-4000-8000-000000000001',
    acceptance: { order: json({ id: '8f0b7a56-0001-4000-8000-000000000001' }), cancel: '' },
    refusal: { text: json({ code: 9, message: 'insufficient buying power', details: [] }), under: plain4xx },
    wrongKey: { text: json({ code: 16, message: 'unknown api key', details: [] }), under: plain4xx },
    limited: { text: json({ status: 429, message: 'Too Many Requests' }), under: [429] },
    duplicate: null,
  },
  hyperliquid: {
    ref: '480264497594',
    acceptance: {
      order: json({
        status: 'ok',
        response: { type: 'order', data: { statuses: [{ resting: { oid: 480264497594 } }] } },
      }),
      cancel: json({ status: 'ok', response: { type: 'cancel', data: { statuses: ['success'] } } }),
    },
    refusal: { text: json({ status: 'err', response: 'Order has zero size.' }), under: [200] },
    wrongKey: { text: json({ status: 'err', response: 'User or API Wallet 0x1 does not exist.' }), under: [200] },
    limited: { text: json({ status: 'err', response: 'Too many cumulative requests sent (1 > 0).' }), under: [200] },
    duplicate: { text: json({ status: 'err', response: 'Invalid nonce: duplicate nonce 1' }), under: [200] },
  },
}

const html = '<!DOCTYPE html><html><head><title>Attention Required! | Cloudflare</title></head></html>'
/** Nobody's words: what a proxy, an edge or another program says. */
const strange: readonly [name: string, text: string][] = [
  ['HTML', html],
  ['huge HTML', html + ' '.repeat(900_000)],
  ['deep JSON', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
  ['a word', 'Conflict'],
  ...[{}, [], null, 1, 'error', { ok: false }, { status: 'error' }, { status: 'ok' }, { statusCode: 409 }].map(
    (body): [string, string] => [`JSON ${json(body)}`, json(body)],
  ),
  ...[{ errors: ['x'] }, { error: { status: 409 } }, { error: null }, { code: 1020, message: 'denied' }].map(
    (body): [string, string] => [`JSON ${json(body)}`, json(body)],
  ),
]
/** A status in words, and what tells of the way to the venue: anybody's, in whatever shape it stands. */
const ofTheWay = [
  ...['Unauthorized', 'Forbidden', 'Bad Request', 'bad request.', 'Conflict', 'Not Found', 'Gone', '400 Bad Request'],
  ...['Bad Gateway', 'HTTP 502: Bad Gateway', 'upstream', 'upstream connect error or disconnect/reset before headers'],
  ...['Service Unavailable', 'the service is temporarily unavailable', 'proxy error', 'Endpoint request timed out'],
  ...['no healthy upstream', 'request timeout', 'Payload Too Large'],
]
const shapes: readonly ((said: string) => unknown)[] = [
  (message) => ({ message }),
  (error) => ({ error }),
  (error) => ({ error, message: 'x' }),
  (message) => ({ statusCode: 400, message, error: message }),
  (message) => ({ error: { code: 'x', message } }),
  (message) => ({ code: 'x', message }),
  (msg) => ({ msg }),
  (message) => ({ code: 9, message, details: [] }),
  (message) => ({ code: 16, message, details: [] }),
  (message) => ({ code: 9, message }),
  (response) => ({ status: 'err', response }),
  (errorMsg) => ({ success: false, errorMsg }),
  (reason) => ({ result: 'error', reason }),
]
const gateways: readonly string[] = ofTheWay.flatMap((said) => shapes.map((shape) => json(shape(said))))

/** Like a refusal of the venue's, and none that is known of it. */
const undocumented: Readonly<Record<LaneVenue, readonly object[]>> = {
  polymarket: [{ message: 'not enough balance' }],
  kalshi: [{ error: { code: 'x', message: 'no' } }, { msg: 'no' }, { error: { code: 'request_blocked' } }],
  gemini: [
    { error: 'Blocked', message: 'no' },
    { result: 'error', reason: 'Blocked' },
  ],
  polymarket_us: [
    { message: 'no' },
    { error: 'no' },
    { code: 9, message: 'no' },
    { code: 2, message: 'no', details: [] },
  ],
  hyperliquid: [{ error: 'no' }, { response: 'no' }],
}

it('names every lane', () => {
  expect(Object.keys(words).sort()).toEqual(Object.keys(lanes).sort())
})

describe.each(Object.keys(words) as LaneVenue[])('%s', (venue) => {
  const { lane, open } = laneCases[venue]
  const said = words[venue]
  const artifacts = {} as Record<'order' | 'cancel', { execution: LaneExecution; send: unknown; prepared: never }>
  let table: OpenCase
  beforeAll(async () => {
    table = await open()
    const { context } = table.here.world
    const order = executionOf(await buildOrder(lane, context, table.body))
    const target: LaneExecution = { ...order, status: 'acked', venueRef: said.ref }
    const cancel = executionOf(await lane.cancel!.build(context, target, {} as never), { target }, 'cancel')
    for (const [intent, execution] of [['order', order] as const, ['cancel', cancel] as const]) {
      const given = { ...table.credentials, ...(await table.signed(execution.unsigned, intent)) }
      const send = lane.submit!.body.parse(given)
      const prepared = await lane.submit!.prepare(context, execution, send)
      const kept = { ...prepared, submittedArtifact: stored(prepared.submittedArtifact) }
      artifacts[intent] = { execution, send, prepared: kept as never }
    }
  })
  afterAll(() => table.here.close())

  const answered = (intent: 'order' | 'cancel', status: number, text: string): Promise<RelayOutcome> => {
    const { execution, send, prepared } = artifacts[intent]
    const answer: SendOutcome = { kind: 'answered', status, headers: {}, text }
    const sender: HttpSender = { send: async () => answer }
    return lane.submit!.relay({ ...table.here.world.context, sender }, execution, prepared, send)
  }
  /** What a refresh comes to when every private read is answered so: an error code, or a status. */
  const looked = async (status: number, text: string): Promise<string | null> => {
    const answer: SendOutcome = { kind: 'answered', status, headers: {}, text }
    const http: HttpClient = {
      async request() {
        const body = parseJson(text)
        if (status === 429 || status >= 500 || (body === undefined && text !== ''))
          throw new Fault('NETWORK_ERROR', 'x')
        return { status, headers: {}, body }
      },
    }
    const context = { ...table.here.world.context, http, sender: { send: async () => answer } }
    const { execution } = artifacts.order
    const acked: LaneExecution = { ...execution, status: 'acked', venueRef: said.ref }
    const read = lane.refresh!.read(context, acked, lane.refresh!.body.parse(table.credentials))
    return read.then(
      (seen) => seen.status,
      (error: unknown) => (error instanceof Fault ? error.code : 'no fault'),
    )
  }
  const kindsOf = async (intent: 'order' | 'cancel', text: string): Promise<Map<number, RelayOutcome>> =>
    new Map(await Promise.all(statuses.map(async (status) => [status, await answered(intent, status, text)] as const)))
  const under = (outcomes: Map<number, RelayOutcome>, kind: RelayOutcome['kind']): number[] =>
    [...outcomes].filter(([, outcome]) => outcome.kind === kind).map(([status]) => status)
  const sorted = (list: readonly number[]): number[] => [...list].sort((a, b) => a - b)

  it('a read blames the key on the venue’s own word alone, and nobody else’s page ends an order', async () => {
    const blames = async (text: string): Promise<number[]> => {
      const seen = await Promise.all(statuses.map(async (status) => [status, await looked(status, text)] as const))
      for (const [status, what] of seen) {
        expect(['NETWORK_ERROR', 'VENUE_CREDENTIAL_REJECTED', null], `${status} ${text.slice(0, 80)}`).toContain(what)
      }
      return seen.filter(([, what]) => what === 'VENUE_CREDENTIAL_REJECTED').map(([status]) => status)
    }
    for (const [, text] of strange) expect(await blames(text)).toEqual([])
    for (const text of ['', said.refusal.text.slice(0, -1)]) expect(await blames(text)).toEqual([])
    for (const text of gateways.slice(0, 2 * shapes.length)) expect(await blames(text), text).toEqual([])
    if (lane.refresh!.credentialFree) return
    expect(await blames(said.wrongKey!.text)).toEqual(sorted(said.wrongKey!.under))
  })

  it('an acceptance that says what was matched carries it, and no odd field makes it less of one', async () => {
    const text = json(matchedAtOnce[venue])
    const outcome = await answered('order', 200, text)
    expect(outcome).toMatchObject({ kind: 'accepted', matchedSize: expect.stringMatching(/^4\.50?$/) })
    if (venue === 'gemini') return
    const odd = await answered('order', 200, text.replaceAll(/"4\.50?"|4\.5/g, '"?"'))
    expect(odd).toMatchObject({ kind: 'accepted' })
    expect(odd).not.toHaveProperty('matchedSize')
  })

  describe.each(['order', 'cancel'] as const)('%s', (intent) => {
    it('its acceptance is one under 2xx, and no rejection under anything', async () => {
      const outcomes = await kindsOf(intent, said.acceptance[intent])
      expect(under(outcomes, 'accepted')).toEqual([200, 201, 204])
      expect(under(outcomes, 'unknown')).toEqual(statuses.slice(3))
    })

    it('its own refusal ends the order where its documents tell of it, and nowhere else', async () => {
      const outcomes = await kindsOf(intent, said.refusal.text)
      const turnedDown = [...under(outcomes, 'rejected'), ...under(outcomes, 'refused')]
      expect(under(outcomes, 'rejected')).toEqual(sorted(said.refusal.under))
      // Under 401 and 403 a gateway of the venue's may say it of the key.
      for (const status of turnedDown) expect([...said.refusal.under, 401, 403]).toContain(status)
      expect(under(outcomes, 'accepted')).toEqual([])
    })

    it.each([
      ['wrong key', said.wrongKey],
      ['limit', said.limited],
    ] as const)('its word of a %s frees the execution, and never ends it', async (_, word) => {
      if (word === null) return
      const outcomes = await kindsOf(intent, word.text)
      expect(under(outcomes, 'refused')).toEqual(sorted(word.under))
      expect(under(outcomes, 'accepted')).toEqual([])
      for (const [status, outcome] of outcomes) {
        if (outcome.kind !== 'refused') continue
        expect([status, outcome.code]).toEqual([status, word === said.limited ? 'NETWORK_ERROR' : undefined])
      }
    })

    it('a repeat of our own order is no evidence against it', async () => {
      if (said.duplicate === null) return
      const outcomes = await kindsOf(intent, said.duplicate.text)
      for (const status of said.duplicate.under) expect(outcomes.get(status)?.kind).toBe('unknown')
      expect(under(outcomes, 'accepted')).toEqual([])
    })

    it('half of an answer, and nothing, prove nothing', async () => {
      const halves = [said.acceptance[intent], said.refusal.text].filter((text) => text !== '')
      for (const text of halves.map((text) => text.slice(0, -1))) {
        expect(under(await kindsOf(intent, text), 'unknown')).toEqual(statuses)
      }
      const empty = under(await kindsOf(intent, ''), 'unknown')
      expect(empty).toEqual(said.acceptance[intent] === '' ? statuses.slice(3) : statuses)
    })

    it.each(strange)('%s proves nothing under any status', async (_, text) => {
      const outcomes = await kindsOf(intent, text)
      const isEmptyAnswer = said.acceptance[intent] === '' && (text === '{}' || text === 'null')
      expect(under(outcomes, 'unknown')).toEqual(isEmptyAnswer ? statuses.slice(3) : statuses)
    })

    it('a status in words and the words of a server between prove nothing, in any shape', async () => {
      for (const text of gateways) {
        for (const status of [200, ...plain4xx, 429, 503]) {
          expect((await answered(intent, status, text)).kind, `${status} ${text}`).toBe('unknown')
        }
      }
    })

    it('a refusal in a form that its documents do not tell of proves nothing', async () => {
      for (const body of undocumented[venue]) {
        expect(under(await kindsOf(intent, json(body)), 'unknown'), json(body)).toEqual(statuses)
      }
    })
  })
})
