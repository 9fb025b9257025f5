// The catalog of every lab venue, read through a client that compares samples of the responses with the known fields of the venue.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fields } from '#cli/probe/fields'
import { readKnownFields } from '#cli/probe/knownFields'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type Lab, startLab } from '#lab/lab'
import type { HttpClient, HttpResponse } from '#net/http'
import { createHttpClient } from '#net/httpClient'
import { sampledClient, sampleEveryMs } from '#roles/sampledClient'
import type { VenueCase } from '#test/support/cases/venueCase'
import { labCredentials } from '#test/support/labSettings'
import { venueCases } from '#test/support/venueCases'

const cases: readonly VenueCase[] = Object.values(venueCases)
const clock = new ManualClock()
let lab: Lab
beforeAll(async () => {
  const venues = cases.map((each) => each.lab)
  lab = await startLab({ clock, seed: 'sampled', ratePerSecond: 0, markets: 40, venues })
}, 60_000)
afterAll(() => lab?.stop())

async function findings(
  { lab: name, manifest }: VenueCase,
  change: (body: unknown) => unknown,
): Promise<{ found: string[]; markets: number }> {
  const real = createHttpClient({ venue: manifest.slug, requestsPerSecond: 10_000 })
  const http: HttpClient = {
    async request(request) {
      const answer: HttpResponse = await real.request(request)
      return request.take === undefined ? { ...answer, body: change(answer.body) } : answer
    },
  }
  const found = new Set<string>()
  const sampled = sampledClient(http, {
    clock,
    urls: lab[name].urls,
    known: readKnownFields(manifest.slug),
    found: (field, kind) => void found.add(`${kind} ${field}`),
  })
  let markets = 0
  const context = {
    venue: manifest.slug,
    http: sampled,
    clock,
    log: silentLog,
    urls: lab[name].urls,
    credentials: labCredentials(lab, name),
    signal: new AbortController().signal,
  }
  for await (const page of manifest.data.walkCatalog(context, { updatedSinceMs: null }))
    for (const event of page.events) markets += event.markets.length
  await real.close()
  return { found: [...found].sort(), markets }
}

type Row = Record<string, unknown>

/** Changes every object in the response. */
function eachObject(body: unknown, change: (row: Row) => Row): unknown {
  if (Array.isArray(body)) return body.map((one) => eachObject(one, change))
  if (typeof body !== 'object' || body === null) return body
  return change(Object.fromEntries(Object.entries(body).map(([key, value]) => [key, eachObject(value, change)])))
}

describe.each(cases.map((each) => [each.manifest.slug, each] as const))('%s', (_, venue) => {
  it('reports nothing for normal responses', async () => {
    const { found, markets } = await findings(venue, (body) => body)
    expect(markets).toBeGreaterThan(0)
    expect(found).toEqual([])
  })

  it('reports a new key in every row, without losing a market', async () => {
    const usual = await findings(venue, (body) => body)
    const { found, markets } = await findings(venue, (body) => eachObject(body, (row) => ({ ...row, novelty: 1 })))
    expect(markets).toBe(usual.markets)
    expect(found.length).toBeGreaterThan(0)
    expect(found.every((one) => /^unknown (.*\.)?novelty$/.test(one))).toBe(true)
  })
})

/** What the second of two responses reports. */
const plantedAt = async (
  body: unknown,
  changed: unknown,
  known: Readonly<Record<string, Fields>>,
): Promise<string[]> => {
  const answers = [body, changed]
  const found: string[] = []
  const client = sampledClient(
    { request: async () => ({ status: 200, headers: {}, body: answers.shift() }) },
    { clock, urls: {}, known, found: (field, kind) => void found.push(`${kind} ${field}`) },
  )
  const request = { url: 'https://venue.example/list' }
  await client.request(request)
  clock.advance(sampleEveryMs)
  await client.request(request)
  return found
}

it('distinguishes a missing key, a number as text and null for a list, and treats any other null as absent', async () => {
  const known = {
    'GET /list': {
      rows: { types: 'a', isAlways: true },
      'rows.[].id': { types: 's', isAlways: true },
      'rows.[].size': { types: 'n', isAlways: true },
      'rows.[].note': { types: 's', isAlways: true },
      'rows.[].legs': { types: 'a', isAlways: true },
    },
  }
  const row = { id: 'a', size: 1, note: 'x', legs: [] }
  expect(await plantedAt({ rows: [row] }, { rows: [{ id: 'a', size: '1', note: null, legs: null }] }, known)).toEqual([
    'mistyped rows.size',
    'mistyped rows.legs',
  ])
  const { size: _, ...without } = row
  expect(await plantedAt({ rows: [row] }, { rows: [row, without] }, known)).toEqual(['missing rows.size'])
})

it('samples a URL once per period, and different rows of a long list each time', async () => {
  const known = { 'GET /list': { 'rows.[].id': { types: 'n', isAlways: true } } }
  const oddRow = 3
  const seen: string[] = []
  const client = sampledClient(
    {
      request: async () => ({
        status: 200,
        headers: {},
        body: { rows: Array.from({ length: 80 }, (_, n) => ({ id: n === oddRow ? 'odd' : n })) },
      }),
    },
    { clock, urls: {}, known, found: (field, kind) => void seen.push(`${kind} ${field}`) },
  )
  for (let n = 0; n < 10; n++) {
    await client.request({ url: 'https://venue.example/list' })
    await client.request({ url: 'https://venue.example/list' })
    clock.advance(sampleEveryMs)
  }
  expect(seen.filter((one) => one === 'mistyped rows.id')).toHaveLength(1)
})
