// What the response to a relayed order proves: every status × every body × every adapter. An order ends as `failed` only on the venue's own
// parsed rejection, under a status for which the venue documents one; after any other response the order may rest.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Fault } from '#core/fault'
import type { HttpClient, HttpSender, SendOutcome } from '#net/http'
import type { JsonObject } from '#schemas/executions'
import { clientErrors, type Word } from '#test/support/cases/laneCase'
import { laneCases, laneVenues, type OpenCase } from '#test/support/laneCases'
import { readBody } from '#test/support/laneLab'
import { buildOrder, executionOf, stored } from '#test/support/laneWorld'
import { isLong } from '#test/support/shortRuns'
import type { LaneExecution, RelayOutcome } from '#venues/lane'
import { parseJson } from '#venues/shared/exec/relay'

const statuses = [
  200, 201, 204, 301, 302, 400, 401, 403, 404, 408, 409, 413, 422, 425, 429, 499, 500, 502, 503, 504, 520, 524,
]

const json = JSON.stringify

const html = '<!DOCTYPE html><html><head><title>Attention Required! | Cloudflare</title></head></html>'
/** Bodies that do not come from the venue: of proxies, edges and other programs. */
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
/** Status texts, and messages about the path to the venue: any server may send them, in any shape. */
const ofTheWay = [
  ...['Unauthorized', 'Forbidden', 'Bad Request', 'bad request.', 'Conflict', 'Not Found', 'Gone', '400 Bad Request'],
  ...['Bad Gateway', 'HTTP 502: Bad Gateway', 'upstream', 'upstream connect error or disconnect/reset before headers'],
  ...['Service Unavailable', 'the service is temporarily unavailable', 'proxy error', 'Endpoint request timed out'],
  ...['no healthy upstream', 'request timeout', 'Payload Too Large'],
]
const shapes: readonly ((text: string) => unknown)[] = [
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
const gateways: readonly string[] = ofTheWay.flatMap((text) => shapes.map((shape) => json(shape(text))))

describe.each(laneVenues)('%s', (venue) => {
  const { lane, open, cancelBody, before, words: messages } = laneCases[venue]
  const textOf = (word: Word): string => json(word.body('x'))
  const intents = (['order', 'cancel'] as const).filter((intent) => intent === 'order' || lane.cancel !== undefined)
  const accepted = (intent: 'order' | 'cancel'): string => messages.acceptance[intent]!
  const artifacts = {} as Record<'order' | 'cancel', { execution: LaneExecution; send: unknown; prepared: never }>
  let table: OpenCase
  beforeAll(async () => {
    table = await open()
    const { context } = table.here.world
    const prepare = async (intent: 'order' | 'cancel', execution: LaneExecution): Promise<JsonObject> => {
      const given = { ...table.credentials, ...(await table.signed(execution.unsigned, intent)) }
      const send = lane.submit!.body.parse(given)
      const prepared = await lane.submit!.prepare(context, execution, send)
      const kept = { ...prepared, submittedArtifact: stored(prepared.submittedArtifact) }
      artifacts[intent] = { execution, send, prepared: kept as never }
      return kept.submittedArtifact
    }
    const order = executionOf(await buildOrder(lane, context, table.order))
    const submittedArtifact = await prepare('order', order)
    const target: LaneExecution = { ...order, status: 'acked', venueRef: messages.ref, submittedArtifact }
    if (lane.cancel === undefined) return
    const cancel = await lane.cancel.build(context, target, lane.cancel.body.parse(cancelBody(null)))
    await prepare('cancel', executionOf(cancel, { target }, 'cancel'))
  })
  afterAll(() => table.here.close())

  const answered = (intent: 'order' | 'cancel', status: number, text: string): Promise<RelayOutcome> => {
    const { execution, send, prepared } = artifacts[intent]
    const answer = { kind: 'answered', status, headers: {}, text } as const
    return lane.submit!.relay({ ...table.here.world.context, sender: senderOf(answer) }, execution, prepared, send)
  }
  /** Answers the preliminary request with success, except when testing a rejected key. */
  const senderOf = (answer: SendOutcome & { kind: 'answered' }): HttpSender => ({
    async send({ url }) {
      const isFirst = before !== undefined && url.endsWith(before.path)
      const isKey = messages.wrongKey !== null && answer.text === textOf(messages.wrongKey)
      return isFirst && !isKey ? { ...answer, status: 200, text: json(before.answer) } : answer
    },
  })
  /** The result of a refresh when every private read gets this response: an error code, or a status. */
  const refreshed = async (status: number, text: string): Promise<string | null> => {
    const answer = { kind: 'answered', status, headers: {}, text } as const
    const http: HttpClient = {
      async request() {
        const body = parseJson(text)
        if (status === 429 || status >= 500 || (body === undefined && text !== ''))
          throw new Fault('NETWORK_ERROR', 'x')
        return { status, headers: {}, body }
      },
    }
    const context = { ...table.here.world.context, http, sender: senderOf(answer) }
    const { execution } = artifacts.order
    const acked: LaneExecution = { ...execution, status: 'acked', venueRef: messages.ref }
    const read = lane.refresh!.read(context, acked, lane.refresh!.body.parse(readBody(lane, table.credentials)))
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
  /** Statuses under which an unrecognised body proves nothing. */
  const silent = (among: readonly number[]): number[] =>
    among.filter((status) => status !== 429 || messages.takesSameBytesOnce !== true)
  const sentAgain = messages.takesSameBytesOnce === true ? [429] : []
  const { refusal, cancelRefusal, wrongKey, limited, duplicate } = messages
  /** Statuses under which the adapter looks at the body, as the venue documents some response. */
  const documented = new Set(
    [200, 429].concat([refusal, cancelRefusal, wrongKey, limited, duplicate].flatMap((word) => word?.under ?? [])),
  )

  it('a read reports a rejected key only on the venue’s own message, and no foreign page ends an order', async () => {
    const blames = async (text: string): Promise<number[]> => {
      const seen = await Promise.all(statuses.map(async (status) => [status, await refreshed(status, text)] as const))
      for (const [status, what] of seen) {
        expect(['NETWORK_ERROR', 'VENUE_CREDENTIAL_REJECTED', null], `${status} ${text.slice(0, 80)}`).toContain(what)
      }
      return seen.filter(([, what]) => what === 'VENUE_CREDENTIAL_REJECTED').map(([status]) => status)
    }
    for (const [, text] of strange) expect(await blames(text)).toEqual([])
    for (const text of ['', textOf(messages.refusal).slice(0, -1)]) expect(await blames(text)).toEqual([])
    for (const text of gateways.slice(0, 2 * shapes.length)) expect(await blames(text), text).toEqual([])
    if (lane.refresh!.credentialFree) return
    expect(await blames(textOf(messages.wrongKey!))).toEqual(sorted(messages.wrongKey!.under))
  })

  it('an acceptance with a matched size reports it, and an invalid size leaves it an acceptance', async () => {
    if (messages.partly === null) return
    const text = json(messages.partly)
    const outcome = await answered('order', 200, text)
    expect(outcome).toMatchObject({ kind: 'accepted', matchedSize: expect.stringMatching(/^4\.50?$/) })
    if (venue === 'gemini') return
    const odd = await answered('order', 200, text.replaceAll(/"4\.50?"|4\.5|"4500000"/g, '"?"'))
    expect(odd).toMatchObject({ kind: 'accepted' })
    expect(odd).not.toHaveProperty('matchedSize')
  })

  it.each([
    { message: 'odd lot of the third kind' },
    { error: { message: 'odd lot of the third kind' } },
    { errors: [{ detail: 'odd lot of the third kind' }] },
  ])('an unknown outcome carries the status and text of the response, for the owner: %j', async (body) => {
    const outcome = await answered('order', 500, json(body))
    expect(outcome).toMatchObject({ kind: 'unknown', httpStatus: 500, text: expect.stringContaining('odd lot') })
  })

  describe.each(intents)('%s', (intent) => {
    it('accepts its acceptance under 2xx, and never rejects on it', async () => {
      const outcomes = await kindsOf(intent, accepted(intent))
      expect(under(outcomes, 'accepted')).toEqual([200, 201, 204])
      expect(under(outcomes, 'unknown')).toEqual(statuses.slice(3))
    })

    it('its own rejection ends the order under the documented statuses only', async () => {
      const refusal = (intent === 'cancel' ? messages.cancelRefusal : undefined) ?? messages.refusal
      const outcomes = await kindsOf(intent, textOf(refusal))
      const turnedDown = [...under(outcomes, 'rejected'), ...under(outcomes, 'refused')]
      expect(under(outcomes, 'rejected')).toEqual(sorted(refusal.under))
      // Under 401 and 403 the venue's gateway may mean the key.
      for (const status of turnedDown) expect([...refusal.under, 401, 403, ...sentAgain]).toContain(status)
      expect(under(outcomes, 'accepted')).toEqual([])
    })

    it.each([
      ['wrong key', messages.wrongKey],
      ['limit', messages.limited],
    ] as const)('its documented %s releases the execution without ending it', async (_, word) => {
      if (word === null) return
      const outcomes = await kindsOf(intent, textOf(word))
      const code = word === messages.limited ? 'NETWORK_ERROR' : undefined
      const freed = [...outcomes].filter(([, outcome]) => outcome.kind === 'refused' && outcome.code === code)
      expect(freed.map(([status]) => status)).toEqual(sorted(word.under))
      expect(under(outcomes, 'accepted')).toEqual([])
      // Without a response to the preliminary request nothing was sent, whatever the response.
      if (before === undefined) {
        expect(under(outcomes, 'refused')).toEqual(sorted([...new Set([...word.under, ...sentAgain])]))
      }
    })

    it('a duplicate of our own order proves nothing', async () => {
      if (messages.duplicate === null) return
      const outcomes = await kindsOf(intent, textOf(messages.duplicate))
      for (const status of messages.duplicate.under) expect(outcomes.get(status)?.kind).toBe('unknown')
      expect(under(outcomes, 'accepted')).toEqual([])
    })

    it('a truncated or empty response proves nothing', async () => {
      const halves = [accepted(intent), textOf(messages.refusal)].filter((text) => text !== '')
      for (const text of halves.map((text) => text.slice(0, -1))) {
        expect(under(await kindsOf(intent, text), 'unknown')).toEqual(silent(statuses))
      }
      const empty = under(await kindsOf(intent, ''), 'unknown')
      expect(empty).toEqual(silent(accepted(intent) === '' ? statuses.slice(3) : statuses))
    })

    it.each(strange)('%s proves nothing under any status', async (_, text) => {
      const outcomes = await kindsOf(intent, text)
      const isEmptyAnswer = accepted(intent) === '' && (text === '{}' || text === 'null')
      const expected = isEmptyAnswer ? statuses.slice(3) : statuses
      // A page comes from a server in between, which may have passed the order on.
      expect(under(outcomes, 'unknown')).toEqual(text.trimStart().startsWith('<') ? expected : silent(expected))
    })

    it('status texts and proxy messages prove nothing, in any shape', async () => {
      const tried = silent([200, ...clientErrors, 429, 503])
      const others = tried.filter((status) => !documented.has(status))
      for (const [at, text] of gateways.entries()) {
        // In short runs each text, and each shape, meets every other status, but not each text in each shape.
        const isTried = (status: number): boolean =>
          isLong || documented.has(status) || status === others[at % others.length]
        for (const status of tried.filter(isTried)) {
          const { kind } = await answered(intent, status, text)
          // A call of expect costs as much as the answer, and there are tens of thousands of them.
          if (kind !== 'unknown') expect(kind, `${status} ${text}`).toBe('unknown')
        }
      }
    })

    it('a rejection in an undocumented form proves nothing', async () => {
      for (const body of messages.undocumented) {
        expect(under(await kindsOf(intent, json(body)), 'unknown'), json(body)).toEqual(silent(statuses))
      }
    })
  })
})
