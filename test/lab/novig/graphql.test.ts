// The lab's public GraphQL, queried as in the documentation of the venue and by its clients.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import { sharedFixture } from '#test/support/fixtures'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ clock: new ManualClock(), seed: 'graphql', venues: ['novig'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

async function ask(query: string, variables: object = {}) {
  const answer = await fetch(`${lab.novig.urls.GQL}/v1/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ operationName: null, query, variables }),
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as { data: Record<string, Row[]>; errors?: { extensions: { code: string } }[] }
}
type Row = Record<string, unknown> & { id: string }

/** As in the documentation (odds screens), for a league. */
const liquidity = `query GetMLBLiquidity {
  event(where: {
    _and: [
      { _or: [
        { status: { _eq: "OPEN_PREGAME" } },
        { status: { _eq: "OPEN_INGAME" } }
      ]},
      { game: { league: { _eq: "SPORTS" } } }
    ]
  }) {
    description
    id
    game { scheduled_start }
    markets {
      description type strike
      player { full_name }
      outcomes(where: { _or: [ { last: { _is_null: false } }, { available: { _is_null: false } } ] }) {
        id description last available
        orders(where: { status: { _eq: "OPEN" }, currency: { _eq: "CASH" } }, order_by: { price: desc }) {
          status qty price originalQty created_at
        }
      }
    }
  }
}`

test('answers the documented query: open events of the league, with resting orders', async () => {
  const { data } = await ask(liquidity)
  const open = lab.novig.listing.events.filter(
    ({ catalog, markets }) => catalog.category === 'Sports' && lab.novig.engine.statusOf(markets[0]!.key) === 'open',
  )
  expect(data.event!.map(({ id }) => id).sort()).toEqual(open.map(({ id }) => id).sort())
  expect(open.length).toBeGreaterThan(0)
})

const path = sharedFixture('novig/raw.json.gz')
test.skipIf(path === null)('rows have the keys of recorded ones, and values of the same types', async () => {
  const recorded = JSON.parse(gunzipSync(readFileSync(path!)).toString())
  const kinds = (value: unknown, at: string, into: Map<string, Set<string>>): Map<string, Set<string>> => {
    if (Array.isArray(value)) for (const item of value) kinds(item, at, into)
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) kinds(member, `${at}.${name}`, into)
    else into.set(at, (into.get(at) ?? new Set()).add(value === null ? 'null' : typeof value))
    return into
  }
  const theirs = kinds(recorded.NFL, '', new Map())
  const ours = kinds(await ask(liquidity), '', new Map())
  const players = (at: string) => !at.includes('.player')
  expect([...ours.keys()].filter(players).sort()).toEqual([...theirs.keys()].filter(players).sort())
  for (const [at, seen] of ours) expect([...(theirs.get(at) ?? [])], at).toEqual(expect.arrayContaining([...seen]))
})

test('has only bids: for the first outcome those of the book, for the second its inverted asks; play money is separate', async () => {
  const [market] = lab.novig.listing.markets
  const query = `query ($ids: [uuid!]!) { market(where: {outcomes: {id: {_in: $ids}}}) {
    outcomes { index available orders(where: {currency: {_eq: "CASH"}}) { price qty } } } }`
  const { data } = await ask(query, { ids: [market!.outcomes[1]] })
  const outcomes = data.market![0]!.outcomes as { available: number; orders: { price: number; qty: number }[] }[]
  const truth = lab.novig.book(market!.outcomes[0])!
  const summed = (n: number) => {
    const levels = new Map<number, number>()
    for (const { price, qty } of outcomes[n]!.orders) levels.set(price, (levels.get(price) ?? 0) + qty)
    return [...levels]
  }
  expect(summed(0)).toEqual(truth.bids.map(([micros, size]) => [micros / 1e6, size * 100]))
  expect(summed(1)).toEqual(truth.asks.map(([micros, size]) => [(1e6 - micros) / 1e6, size * 100]))
  expect(outcomes[0]!.available).toBe(truth.asks[0]![0] / 1e6)
  const coins = await ask(query.replace('CASH', 'COIN'), { ids: [market!.outcomes[1]] })
  expect((coins.data.market![0]!.outcomes as { orders: object[] }[])[0]!.orders).toHaveLength(1)
})

test('a page has as many rows as requested, after the given id', async () => {
  const all = (await ask('{ event(order_by: {id: asc}) { id } }')).data.event!.map(({ id }) => id)
  expect(all).toEqual(all.toSorted())
  const page = await ask(
    'query ($after: uuid!) { event(where: {id: {_gt: $after}}, order_by: {id: asc}, limit: 3) { id } }',
    {
      after: all[4],
    },
  )
  expect(page.data.event!.map(({ id }) => id)).toEqual(all.slice(5, 8))
})

describe('rejects an invalid query with the errors of the venue', () => {
  test.each([
    ['', 'validation-failed'],
    ['{ event { id }', 'validation-failed'],
    ['{ event }', 'validation-failed'],
    ['{ event { secret } }', 'validation-failed'],
    ['{ account { id } }', 'validation-failed'],
    ['{ event(where: {secret: {_eq: 1}}) { id } }', 'validation-failed'],
    ['query ($id: uuid!) { event(where: {id: {_eq: $id}}) { id } }', 'validation-failed'],
    ['{ event(where: {id: {_eq: "7"}}) { id } }', 'data-exception'],
  ])('%s', async (query, code) => {
    expect((await ask(query)).errors?.[0]?.extensions.code).toBe(code)
  })
})
