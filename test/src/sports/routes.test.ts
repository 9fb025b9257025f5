// The fixture routes as in the specification; those with prices are tested in prices.test.ts.
import { existsSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { createWorld } from '#test/src/server/http/world'
import { inputs, start } from './games.ts'
import { tigersAtRoyals } from './markets.ts'
import { createSportsWorld, type SportsWorld } from './world.ts'

const names = (reply: { json: { data: { teams: { name: string }[] }[] } }): string[] =>
  reply.json.data.map(({ teams }) => teams.map(({ name }) => name).join(' v '))

/** Every venue was last read at this time; null: none was read lately. */
function walkedAt({ mirror }: SportsWorld, at: number | null): void {
  const { engine, ...snapshot } = mirror.snapshot!
  const walked = new Map(at === null ? [] : [...engine.walked.keys()].map((venue) => [venue, at]))
  mirror.snapshot = { ...snapshot, engine: { ...engine, walked } }
}

describe('GET /v1/sports/fixtures', () => {
  let world: SportsWorld
  beforeEach(() => {
    world = createSportsWorld(inputs)
  })
  const list = (query = '', headers: Record<string, string> = {}) =>
    world.get(`/v1/sports/fixtures${query}`, { headers })

  it('lists from twelve hours ago to a week ahead, both inclusive, by kickoff', async () => {
    expect(names(await list())).toEqual([
      'Arsenal v Chelsea',
      'Everton v Fulham',
      'Detroit Tigers v Kansas City Royals',
      'Liverpool v Brighton',
      'Leeds v Burnley',
    ])
  })

  const spec = new URL('../../../../shared/spec.md', import.meta.url)
  it.skipIf(!existsSync(spec))(
    'has every field of the specification, and no other (skipped where ../shared is absent)',
    async () => {
      const line = readFileSync(spec, 'utf8')
        .split('\n')
        .find((each) => each.startsWith('`fixtureId`, `sport`'))!
      const fields = (text: string): string[] => [...text.matchAll(/`(\w+)`/g)].map((match) => match[1]!)
      // Text in braces or brackets belongs to the word before it.
      const outer = line.split(' Envelope:')[0]!.replaceAll(/\{[^}]*\}|\([^)]*\)/g, '')
      const { json } = await list()
      for (const row of json.data) expect(Object.keys(row)).toEqual(fields(outer))
      const meta = /`meta` \{(.*?)\}, `page` \{(.*?)\}/.exec(line)!
      expect(Object.keys(json.meta)).toEqual(fields(meta[1]!.replaceAll(/\{[^}]*\}/g, '')))
      expect(Object.keys(json.page)).toEqual(fields(meta[2]!))
      expect(Object.keys(json)).toEqual(['success', 'data', 'meta', 'page', 'nextCursor'])
      for (const [name, inside] of [...meta[1]!.matchAll(/`(\w+)` \{([^}]*)\}/g)].map(
        (match) => [match[1]!, match[2]!] as const,
      )) {
        // "{`live`, `day`, `week` in ms}"
        expect(Object.keys(json.meta[name])).toEqual(fields(inside))
      }
      const statuses = fields(/`status` \((.*?)\)/.exec(line)![1]!)
      expect(statuses).toEqual(['scheduled', 'live', 'final', 'postponed', 'cancelled'])
      expect((await list(`?status=${statuses.join(',')}`)).status).toBe(200)
    },
  )

  it('a row has what is known and nothing else', async () => {
    const { json } = await list('?sport=baseball')
    expect(json.data).toEqual([
      {
        fixtureId: expect.stringMatching(/^fx_[0-9a-f]{20}$/),
        sport: 'baseball',
        competition: { id: 'mlb', name: 'MLB', timeZone: 'America/New_York' },
        home: { id: 'mlb:kc', name: 'Kansas City Royals' },
        away: { id: 'mlb:det', name: 'Detroit Tigers' },
        teams: [
          { id: 'mlb:det', name: 'Detroit Tigers' },
          { id: 'mlb:kc', name: 'Kansas City Royals' },
        ],
        kickoffAt: '2026-05-10T23:20:00.000Z',
        kickoffPrecision: 'exact',
        eventDate: '2026-05-10',
        status: 'scheduled',
        venues: ['kalshi', 'novig', 'polymarket', 'polymarket_us', 'sxbet'],
        market: null,
        markets: expect.arrayContaining([
          {
            marketType: 'spread',
            period: 'game',
            slot: 'game',
            lines: [-2.5, 1.5],
            venues: ['kalshi', 'polymarket', 'polymarket_us', 'sxbet'],
          },
        ]),
        unplaced: { market_type: 1 },
      },
    ])
    const dated = (await list('?team=soccer:liverpool')).json.data[0]
    expect(dated).toMatchObject({
      home: null,
      away: null,
      kickoffAt: null,
      kickoffPrecision: 'date',
      eventDate: '2026-05-12',
    })
  })

  it('states how fresh it is, and for which venues', async () => {
    const { json } = await list()
    expect(json.meta).toEqual({
      asOf: '2026-05-10T11:59:59.000Z',
      degraded: false,
      degradedReason: null,
      engine: { heartbeatAt: '2026-05-10T11:59:58.000Z', lagMs: 3_000, fixtures: 8, blocks: expect.any(Number) },
      index: { refreshedAt: '2026-05-10T11:59:59.000Z', fixtures: 8 },
      freshness: { live: 600_000, day: 1_800_000, week: 7_200_000 },
      unplaced: { market_type: 1 },
    })
  })

  it('a date without a time is in a window that overlaps its UTC day', async () => {
    const of = async (from: string, to: string) => names(await list(`?from=${from}&to=${to}&competition=epl`))
    expect(await of('2026-05-12T23:59:59Z', '2026-05-13T00:00:00Z')).toEqual(['Liverpool v Brighton'])
    expect(await of('2026-05-11T00:00:00Z', '2026-05-12T00:00:00Z')).toEqual(['Liverpool v Brighton'])
    expect(await of('2026-05-11', '2026-05-11T23:59:59Z')).toEqual([])
    expect(await of('2026-05-13', '2026-05-14')).toEqual([])
    // A time is compared as a time.
    expect(await of('2026-05-10T10:00:00Z', '2026-05-10T10:00:01Z')).toEqual(['Everton v Fulham'])
    expect(await of('2026-05-10T10:00:00.001Z', '2026-05-11')).toEqual([])
    expect(await of('2026-05-10T11:59:59%2B02:00', '2026-05-10T12:00:00%2B02:00')).toEqual(['Everton v Fulham'])
  })

  it('filters by sport, competition, team, venue and status; an unknown value matches nothing', async () => {
    expect(names(await list('?competition=mlb'))).toEqual(['Detroit Tigers v Kansas City Royals'])
    expect(names(await list('?team=mlb:kc'))).toEqual(['Detroit Tigers v Kansas City Royals'])
    expect(names(await list('?team=Kansas+City+Royals'))).toEqual([])
    expect(names(await list('?venue=%20SXBET%20'))).toEqual(['Detroit Tigers v Kansas City Royals'])
    expect(names(await list('?status=live'))).toEqual(['Everton v Fulham'])
    expect(names(await list('?status=final,%20live%20,final'))).toEqual(['Arsenal v Chelsea', 'Everton v Fulham'])
    expect(names(await list('?status=postponed,cancelled&from=2026-05-09'))).toEqual([
      'Newcastle v Sunderland',
      'Villa v Spurs',
    ])
    for (const query of ['sport=curling', 'competition=none', 'team=x:y', 'venue=nobody']) {
      const reply = await list(`?${query}`)
      expect([query, reply.status, reply.json.data]).toEqual([query, 200, []])
    }
  })

  it.each([
    ['to=2026-05-10', 'to'],
    ['from=2026-05-10&to=2026-05-10', 'to'],
    ['from=2026-05-10&to=2026-06-10T00:00:01Z', 'to'],
    ['from=2026-05-10T12:00Z', 'from'],
    ['from=2026-05-10T12:00:00', 'from'],
    ['from=2026-02-30', 'from'],
    ['from=2026-02-30T00:00:00Z', 'from'],
    ['from=1778371200', 'from'],
    ['from=', 'from'],
    ['venue=kalshi,sxbet', 'venue'],
    ['venue=', 'venue'],
    ['venue=kalshi&venue=sxbet', 'venue'],
    ['status=', 'status'],
    ['status=live,', 'status'],
    ['status=Live', 'status'],
    ['status=over', 'status'],
    ['sport=', 'sport'],
    [`team=${'x'.repeat(201)}`, 'team'],
    ['limit=0', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=many', 'limit'],
    ['cursor=', 'cursor'],
    ['cursor=nonsense', 'cursor'],
    [`cursor=${Buffer.from('["volume",1,"fx_1"]').toString('base64url')}`, 'cursor'],
    [`cursor=${Buffer.from('["kickoff","1","fx_1"]').toString('base64url')}`, 'cursor'],
    [`cursor=${'A'.repeat(600)}`, 'cursor'],
    ['sprot=soccer', 'sprot'],
  ])('rejects %s', async (query, field) => {
    const reply = await list(`?${query}`)
    expect([reply.status, reply.json.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(reply.json.error.message).toContain(field)
  })

  it('accepts a window of 31 days, and clamps a larger limit to two hundred', async () => {
    const reply = await list('?from=2026-05-01&to=2026-06-01&limit=100000')
    expect([reply.status, reply.json.page.limit, reply.json.data.length]).toEqual([200, 200, 8])
    expect((await list()).json.page.limit).toBe(50)
  })

  it('pages by kickoff: every row once, in order, whatever other requests are made', async () => {
    const seen: string[] = []
    let cursor: string | null = ''
    for (let pages = 0; cursor !== null; pages++) {
      const reply = await list(`?from=2026-05-09&to=2026-05-20&limit=3${cursor && `&cursor=${cursor}`}`)
      seen.push(...names(reply))
      expect(reply.json.page).toEqual({
        limit: 3,
        hasMore: reply.json.nextCursor !== null,
        nextCursor: reply.json.nextCursor,
      })
      cursor = reply.json.nextCursor
      expect(pages).toBeLessThan(4)
    }
    expect(seen).toEqual(names(await list('?from=2026-05-09&to=2026-05-20')))
    expect(new Set(seen).size).toBe(8)
    // It is a position and nothing else.
    const { nextCursor } = (await list('?limit=2')).json
    expect(names(await list(`?cursor=${nextCursor}&status=scheduled`))).toEqual(names(await list('?status=scheduled')))
  })
})

describe('an unchanged response', () => {
  it('is a 304 without a body, until something changes', async () => {
    const world = createSportsWorld(inputs)
    const path = '/v1/sports/fixtures?competition=mlb'
    const first = await world.get(path)
    expect(first.headers.etag).toMatch(/^W\/"pss1:[\w-]{27}"$/)
    expect(first.headers['cache-control']).toBe('private, no-cache, must-revalidate')
    const held = { headers: { 'if-none-match': first.headers.etag! } }
    // Later, after the mirror has polled again: equal rows are an equal response.
    world.clock.advance(5_000)
    world.mirror.snapshot = { ...world.mirror.snapshot!, refreshedAt: world.clock.now() }
    const again = await world.get(path, held)
    expect([again.status, again.text, again.headers.etag, again.headers['cache-control']]).toEqual([
      304,
      '',
      first.headers.etag,
      'private, no-cache, must-revalidate',
    ])
    expect(again.headers['content-type']).toBeUndefined()
    const listed = { headers: { 'if-none-match': `"other", ${first.headers.etag}` } }
    expect((await world.get(path, listed)).status).toBe(304)
    // It does not apply to another query.
    expect((await world.get('/v1/sports/fixtures?team=mlb:kc', held)).status).toBe(200)
    expect((await world.get(path, { headers: { 'if-none-match': '*' } })).status).toBe(200)
    const { head, builtAt } = world.mirror.snapshot.index.get(first.json.data[0].fixtureId)!
    world.mirror.snapshot.index.apply([{ fixtureId: head.fixtureId, head: { ...head, said: 'postponed' }, builtAt }])
    const changed = await world.get(path, held)
    expect([changed.status, changed.json.data[0].status]).toEqual([200, 'postponed'])
    expect(changed.headers.etag).not.toBe(first.headers.etag)
  })

  it.each([
    ['the mirror cannot read', 'index_not_refreshed', (world: SportsWorld) => world.clock.advance(16_000)],
    [
      'the engine is silent',
      'engine_silent',
      (world: SportsWorld) => {
        const snapshot = world.mirror.snapshot!
        world.mirror.snapshot = { ...snapshot, engine: { ...snapshot.engine, heartbeatAt: start - 60_000 } }
      },
    ],
    [
      'the engine lags',
      'engine_behind',
      (world: SportsWorld) => {
        const snapshot = world.mirror.snapshot!
        world.mirror.snapshot = { ...snapshot, engine: { ...snapshot.engine, readAt: start - 1_900_000 } }
      },
    ],
    [
      'a venue behind them is no longer read',
      'catalog_behind',
      (world: SportsWorld) => walkedAt(world, start - 1_900_000),
    ],
    ['a venue behind them was not read lately', 'catalog_behind', (world: SportsWorld) => walkedAt(world, null)],
  ])('is returned in full with stale flags while %s', async (_, reason, worsen) => {
    const world = createSportsWorld(inputs)
    const path = '/v1/sports/fixtures?competition=mlb'
    const fresh = await world.get(path)
    worsen(world)
    const reply = await world.get(path, { headers: { 'if-none-match': fresh.headers.etag! } })
    expect([reply.status, reply.json.meta.degraded, reply.json.meta.degradedReason]).toEqual([200, true, reason])
    expect(reply.json.data[0]).toEqual({ ...fresh.json.data[0], stale: true })
    expect(reply.headers.etag).toMatch(/^W\/"pss1:/)
    const repeated = await world.get(path, { headers: { 'if-none-match': reply.headers.etag! } })
    expect(repeated.status).toBe(200)
  })

  it('counts from when the venue was read, whatever the engine read later', async () => {
    const world = createSportsWorld(inputs)
    walkedAt(world, start - 1_000_000)
    const { json } = await world.get('/v1/sports/fixtures?competition=mlb')
    expect([json.meta.degraded, json.meta.engine.lagMs]).toEqual([false, 1_000_000])
  })

  it.each([
    ['ever', null, 'catalog_behind'],
    ['for hours', start - 7_300_000, 'catalog_behind'],
    ['for an hour', start - 3_600_000, null],
  ])('an empty list proves nothing while no venue was read %s', async (_, at, reason) => {
    const world = createSportsWorld(inputs)
    walkedAt(world, at)
    const path = '/v1/sports/fixtures?competition=nowhere'
    const first = await world.get(path)
    expect([first.json.data, first.json.meta.degradedReason]).toEqual([[], reason])
    const again = await world.get(path, { headers: { 'if-none-match': first.headers.etag! } })
    expect(again.status).toBe(reason === null ? 304 : 200)
  })

  it.each([
    ['was never read', null],
    ['was not read for hours', start - 7_300_000],
  ])('is degraded while one of several venues %s, although none of its games is listed', async (_, at) => {
    const world = createSportsWorld(inputs)
    const path = '/v1/sports/fixtures?competition=mlb'
    const { headers, json } = await world.get(path)
    expect(json.meta.degraded).toBe(false)
    // None of the games is listed.
    const silent = 'gemini'
    world.catalogs.push(silent)
    const snapshot = world.mirror.snapshot!
    const walked = new Map([...snapshot.engine.walked, ...(at === null ? [] : [[silent, at] as const])])
    world.mirror.snapshot = { ...snapshot, engine: { ...snapshot.engine, walked } }
    const reply = await world.get(path, { headers: { 'if-none-match': headers.etag! } })
    expect([reply.status, reply.json.meta.degradedReason]).toEqual([200, 'catalog_behind'])
    // The listed games are unchanged.
    expect(reply.json.data).toEqual(json.data.map((row: object) => ({ ...row, stale: false })))
    for (const list of ['screen?competition=mlb', 'facets?competition=mlb', `fixtures?venue=${silent}`])
      expect((await world.get(`/v1/sports/${list}`)).json.meta.degradedReason, list).toBe('catalog_behind')
    // Requests for another venue, or for one game, are not degraded.
    for (const list of ['fixtures?venue=kalshi', `fixtures/${json.data[0].fixtureId}`])
      expect((await world.get(`/v1/sports/${list}`)).json.meta.degradedReason, list).toBeNull()
    walked.set(silent, start - 7_100_000)
    expect((await world.get(path)).json.meta.degraded).toBe(false)
  })

  it('games in days may be older than games of today', async () => {
    const world = createSportsWorld(inputs)
    const snapshot = world.mirror.snapshot!
    world.mirror.snapshot = { ...snapshot, engine: { ...snapshot.engine, readAt: start - 700_000 } }
    const { json } = await world.get('/v1/sports/fixtures')
    expect(json.meta.degradedReason).toBe('engine_behind')
    expect(
      json.data.filter(({ stale }: { stale: boolean }) => stale).map(({ status }: { status: string }) => status),
    ).toEqual(['live'])
    expect((await world.get('/v1/sports/fixtures?competition=mlb')).json.meta.degraded).toBe(false)
  })
})

describe('before the first run of the engine, and while disabled', () => {
  const paths = ['fixtures', 'fixtures/fx_1', 'screen', 'compare?fixture=fx_1', 'facets']
  it.each(paths)('%s returns an error', async (path) => {
    const world = createSportsWorld([])
    world.mirror.snapshot = null
    const early = await world.get(`/v1/sports/${path}`)
    expect([early.status, early.json.error.code, early.json.error.retryable, early.headers['retry-after']]).toEqual([
      503,
      'SPORTS_SCREEN_UNAVAILABLE',
      true,
      '5',
    ])
    const dark = await createWorld({ families: {} }).get(`/v1/sports/${path}`)
    expect([dark.status, dark.json.error.code]).toEqual([404, 'ROUTE_NOT_FOUND'])
  })
})

describe('GET /v1/sports/fixtures/{id}', () => {
  it('has every market and the meaning of each of its outcomes', async () => {
    const world = createSportsWorld(inputs)
    const id = world.idOf('Detroit Tigers v Kansas City Royals')
    const { json, status, headers } = await world.get(`/v1/sports/fixtures/${id}`)
    expect([status, json.data.fixtureId, json.data.placements.length]).toEqual([200, id, tigersAtRoyals.length - 1])
    expect(json.data.placements).toContainEqual({
      venue: 'sxbet',
      marketId: '0x02',
      marketType: 'spread',
      period: 'game',
      slot: 'game',
      line: 1.5,
      open: true,
      outcomes: [
        { outcomeId: '0x02#0', outcome: 'mlb:kc' },
        { outcomeId: '0x02#1', outcome: 'mlb:det' },
      ],
    })
    expect(json.meta.asOf).toBe('2026-05-10T11:59:00.000Z')
    const held = { headers: { 'if-none-match': headers.etag! } }
    expect((await world.get(`/v1/sports/fixtures/${id}`, held)).status).toBe(304)
  })

  it('is a 404 for an unknown id, and a 503 if its markets cannot be read', async () => {
    const world = createSportsWorld(inputs)
    const none = await world.get('/v1/sports/fixtures/fx_none')
    expect([none.status, none.json.error.code]).toEqual([404, 'SPORTS_FIXTURE_NOT_FOUND'])
    world.mirror.entriesFail = true
    const reply = await world.get(`/v1/sports/fixtures/${world.idOf('Leeds v Burnley')}`)
    expect([reply.status, reply.json.error.code]).toEqual([503, 'SPORTS_SCREEN_UNAVAILABLE'])
  })
})

describe('GET /v1/sports/facets', () => {
  it('counts the fixtures of the default window of the list', async () => {
    const world = createSportsWorld(inputs)
    const { json } = await world.get('/v1/sports/facets')
    expect(json.data).toEqual({
      sports: [
        { sport: 'soccer', fixtures: 4 },
        { sport: 'baseball', fixtures: 1 },
      ],
      competitions: [
        { id: 'epl', name: 'Premier League', sport: 'soccer', fixtures: 4 },
        { id: 'mlb', name: 'MLB', sport: 'baseball', fixtures: 1 },
      ],
      venues: [
        { venue: 'polymarket', fixtures: 5 },
        { venue: 'kalshi', fixtures: 1 },
        { venue: 'novig', fixtures: 1 },
        { venue: 'polymarket_us', fixtures: 1 },
        { venue: 'sxbet', fixtures: 1 },
      ],
      statuses: [
        { status: 'scheduled', fixtures: 3 },
        { status: 'final', fixtures: 1 },
        { status: 'live', fixtures: 1 },
      ],
      marketTypes: expect.arrayContaining([{ marketType: 'spread', fixtures: 1 }]),
    })
    expect((await world.get('/v1/sports/facets?sport=baseball')).json.data.venues).toHaveLength(5)
  })

  it.each(['from=2026-05-10', 'to=2026-05-17', 'limit=5', 'cursor=x', 'status=over', 'venue=a,b'])(
    'rejects %s',
    async (query) => {
      const reply = await createSportsWorld(inputs).get(`/v1/sports/facets?${query}`)
      expect([reply.status, reply.json.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    },
  )
})
