// What a probe finds at every lab: nothing at one that responds like its venue, and each injected difference.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Fields } from '#cli/probe/fields'
import { readKnownFields } from '#cli/probe/knownFields'
import { stepNames } from '#cli/probe/report'
import { saveBundle } from '#cli/probe/save'
import { systemClock } from '#core/clock'
import type { HttpResponse } from '#net/http'
import { type OpenSocket, openSocket } from '#net/socket'
import { probeLab, type VenueName, venueNames } from '#test/support/probe/probeLab'
import { sampleOf } from '#test/support/shortRuns'
import { venueCases } from '#test/support/venueCases'

type Row = Record<string, unknown>
type Change = (row: Row, field: string) => void

/** Applies `change` to every object at the parent of `path`. */
function changeAt(value: unknown, path: readonly string[], change: Change): void {
  const [head, ...rest] = path
  if (Array.isArray(value)) {
    if (head === '[]') for (const item of value) changeAt(item, rest, change)
    return
  }
  if (typeof value !== 'object' || value === null || head === undefined) return
  if (rest.length === 0) change(value as Row, head)
  else changeAt((value as Row)[head], rest, change)
}

const planted: readonly (readonly [kind: string, types: RegExp, change: Change])[] = [
  ['missing', /^s$/, (row, field) => void Reflect.deleteProperty(row, field)],
  ['unknown', /^s$/, (row, field) => Object.assign(row, { [`${field}_of_tomorrow`]: 'new' })],
  ['mistyped', /^s$/, (row, field) => Object.assign(row, { [field]: 7 })],
  ['mistyped', /^n$/, (row, field) => Object.assign(row, { [field]: String(row[field]) })],
  ['mistyped', /^a$/, (row, field) => Object.assign(row, { [field]: null })],
]

/** An optional field of list rows, in the first read of the catalog. */
function fieldOf(known: Readonly<Record<string, Fields>>, sources: readonly string[], types: RegExp) {
  for (const source of sources)
    for (const [field, facts] of Object.entries(known[source] ?? {}))
      if (facts.isAlways && types.test(facts.types) && field.includes('[].') && !field.includes('*'))
        return { source, field }
  return null
}

/** Also other sizes: small ones lack kinds of markets, large ones have more pages. */
const unmodified = [
  { seed: 'unmodified', markets: 20 },
  { seed: 'another', markets: 20 },
  { seed: 'unmodified', markets: 120 },
  { seed: 'another', markets: 120 },
]

describe.each(venueNames)('%s', (venue: VenueName) => {
  const known = readKnownFields(venue)

  it.each(unmodified)(
    'works, and no field of an unmodified lab differs: $markets markets, $seed',
    async (world) => {
      const { report } = await probeLab(venue, { known, ...world })
      expect(report).toMatchObject({ unreadableRows: 0, unreadableFields: {}, drift: [] })
      expect(report.steps.map(({ step, state }) => [step, state])).toEqual(
        stepNames.map((step) => [
          step,
          // The clock step may fail on a stalled machine.
          expect.stringMatching(step === 'clock' ? /^(ok|warn)$/ : /^(ok|skip)$/),
        ]),
      )
    },
    60_000,
  )

  it('finds a field that is missing, new, or of another type', async () => {
    const { client } = await probeLab(venue, { socketPatienceMs: 1_000 })
    expect([...client.fields.keys()].filter((source) => known[source] === undefined)).toEqual([])
    const targets = planted.flatMap(([kind, types, change]) => {
      const target = fieldOf(known, [...client.fields.keys()], types)
      return target === null ? [] : [{ kind, change, ...target }]
    })
    expect(targets.length).toBeGreaterThanOrEqual(3)
    for (const { kind, change, source, field } of sampleOf(targets)) {
      const answer = (response: HttpResponse): HttpResponse => {
        const body = structuredClone(response.body)
        changeAt(body, field.split('.'), change)
        return { ...response, body }
      }
      const { report } = await probeLab(venue, { known, answer, socketPatienceMs: 1_000 })
      const named = kind === 'unknown' ? `${field}_of_tomorrow` : field
      expect(report.drift, `${kind} ${field} of ${source}`).toContainEqual(
        expect.objectContaining({ source, field: named, kind }),
      )
    }
  }, 120_000)
})

it.each([
  [
    {
      status: 403,
      headers: { 'cf-mitigated': 'challenge' },
      body: { error: '<!DOCTYPE html><title>Just a moment...</title>' },
    },
    'takes this program for a bot (status 403)',
  ],
  [
    { status: 403, headers: {}, body: { error: 'Trading is not available in your country' } },
    'refuses this location (status 403)',
  ],
  [{ status: 451, headers: {}, body: undefined }, 'refuses this location (status 451)'],
])('distinguishes a block in front of a venue from the venue itself: %j', async (refusal, message) => {
  const { report } = await probeLab('polymarket', { answer: () => refusal, socketPatienceMs: 1_000 })
  expect(report).toMatchObject({ verdict: 'blocked', message })
})

it.each([
  [-10_000, 'ahead'],
  [10_000, 'behind'],
])('reports a clock that is %i ms off the venue’s', async (offMs, word) => {
  const date = (): string => new Date(systemClock.now() + offMs).toUTCString()
  const answer = (response: HttpResponse) => ({ ...response, headers: { ...response.headers, date: date() } })
  const { report } = await probeLab('xo', { answer, socketPatienceMs: 1_000 })
  expect(report.verdict).toBe('limited')
  expect(report.steps.at(-1)).toMatchObject({ step: 'clock', state: 'warn', message: expect.stringContaining(word) })
})

it('reports an error of the venue itself as a failure, with its response', async () => {
  const answer = () => ({ status: 400, headers: {}, body: { error: 'no such parameter' } })
  const { report } = await probeLab('kalshi', { answer, socketPatienceMs: 1_000 })
  expect(report).toMatchObject({ verdict: 'fails', steps: [{ step: 'catalog', state: 'fail' }, { step: 'clock' }] })
})

/** Every level at a price of its own, which the lab's books do not have. */
const movePrices = (response: HttpResponse): HttpResponse => {
  const book = (response.body as { orderbook_fp?: Record<string, [string, string][]> }).orderbook_fp
  if (book === undefined) return response
  const moved = Object.entries(book).map(([side, levels]) => [
    side,
    levels.map(([price, size]) => [(Number(price) + 0.0001).toFixed(4), size]),
  ])
  return { ...response, body: { orderbook_fp: Object.fromEntries(moved) } }
}

it('reports a socket book that shares no price with REST, unless it moved between the two reads', async () => {
  let sockets = 0
  const openCounted: OpenSocket = (...options) => {
    sockets++
    return openSocket(...options)
  }
  const options = { openSocket: openCounted, socketPatienceMs: 1_000 }
  const moved = await probeLab('kalshi', {
    ...options,
    answer: (response) => (sockets === 1 ? movePrices(response) : response),
  })
  expect(sockets).toBe(2)
  expect(moved.report.steps).toContainEqual(expect.objectContaining({ step: 'socket', state: 'ok' }))
  const another = await probeLab('kalshi', { ...options, answer: movePrices })
  expect(another.report.steps).toContainEqual(
    expect.objectContaining({
      step: 'socket',
      state: 'warn',
      message: expect.stringMatching(/of book \S+ on the socket are not those read over REST/),
    }),
  )
})

it('skips a venue without credentials where it needs them', async () => {
  const { report } = await probeLab('predictfun', { credentials: false, socketPatienceMs: 1_000 })
  expect(report).toMatchObject({ verdict: 'skipped', message: expect.stringMatching(/needs a key/) })
  const { report: polled } = await probeLab('kalshi', { credentials: false, socketPatienceMs: 1_000 })
  expect(polled.steps).toContainEqual(expect.objectContaining({ step: 'socket', state: 'skip' }))
})

it('checks the configured nodes of a chain', async () => {
  const trades = ({ report }: Awaited<ReturnType<typeof probeLab>>) =>
    report.steps.find(({ step }) => step === 'trades')
  const right = await probeLab('rain')
  expect(trades(right)).toMatchObject({ state: 'ok', message: 'the nodes of its chain can be used' })
  const url = 'http://127.0.0.1:9/a-key-of-the-operator'
  const wrong = await probeLab('rain', { urls: { RPC: url } })
  expect(trades(wrong)).toMatchObject({ state: 'fail', message: expect.stringMatching(/^node 127\.0\.0\.1:9: /) })
  const folder = await mkdtemp(join(tmpdir(), 'probe-'))
  try {
    const urls = { ...wrong.lab.rain.urls, RPC: url }
    const { client, ...probed } = wrong
    const options = { credentials: null, urls, ownUrls: venueCases.rain.manifest.urls, now: systemClock.now() }
    const text = await readFile(await saveBundle(folder, probed, client.exchanges, options), 'utf8')
    expect(text).toContain('http://127.0.0.1:9/[secret]')
    expect(text).not.toContain('a-key-of-the-operator')
  } finally {
    await rm(folder, { recursive: true })
  }
}, 60_000)

it('saves raw responses and frames without credentials', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'probe-'))
  try {
    // Opinion's key is a parameter of the socket URL and a header; some responses repeat what they were sent.
    const key = 'canary-4f1e6a90-opinion-key'
    const { client, lab, ...probed } = await probeLab('opinion', {
      answer: ({ status, headers, body }) => ({
        status,
        headers: { ...headers, 'set-cookie': 'session=1' },
        body: { ...(body as object), repeated: `apikey=${key}` },
      }),
    })
    const file = await saveBundle(folder, probed, client.exchanges, {
      credentials: { API_KEY: key },
      ownUrls: lab.opinion.urls,
      urls: lab.opinion.urls,
      now: systemClock.now(),
    })
    const text = await readFile(file, 'utf8')
    const bundle = JSON.parse(text)
    expect(bundle.venue).toBe('opinion')
    expect(bundle.exchanges.length).toBeGreaterThan(1)
    expect(bundle.frames.length).toBeGreaterThan(0)
    expect(text).toContain('apikey=[secret]')
    expect(text).not.toContain(key)
    expect(text).not.toContain('session=1')
  } finally {
    await rm(folder, { recursive: true })
  }
})
