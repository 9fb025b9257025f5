// The routes of sports as the specification says them.
import { existsSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SportsInput } from '#sports/index'
import { createWorld } from '#test/src/http/world'
import { market, tigersAtRoyals } from './markets.ts'
import { createSportsWorld, live, type SportsWorld } from './world.ts'

const start = Date.parse('2026-05-10T12:00:00Z')
const soccer = (id: string, title: string, at: string | null, told: Partial<SportsInput> = {}): SportsInput =>
  market('polymarket', id, {
    tags: ['Soccer', 'EPL'],
    title,
    eventTitle: title,
    labels: title.split(' vs '),
    said: at === null ? {} : { gameStartTime: at },
    ...told,
  })

const inputs = [
  ...tigersAtRoyals,
  soccer('11', 'Arsenal vs Chelsea', '2026-05-10T00:00:00.000Z', { status: 'resolved' }),
  soccer('12', 'Everton vs Fulham', '2026-05-10T10:00:00.000Z'),
  soccer('13', 'Leeds vs Burnley', '2026-05-17T12:00:00.000Z'),
  soccer('14', 'Brentford vs Wolves', '2026-05-17T12:00:01.000Z'),
  soccer('15', 'Liverpool vs Brighton', null, { slug: 'epl-liv-bri-2026-05-12' }),
  soccer('16', 'Newcastle vs Sunderland', '2026-05-09T20:00:00.000Z', { saidOfEvent: { gameStatus: 'postponed' } }),
  soccer('17', 'Villa vs Spurs', '2026-05-09T23:59:59.000Z', { saidOfEvent: { gameStatus: 'cancelled' } }),
]

const names = (reply: { json: { data: { teams: { name: string }[] }[] } }): string[] =>
  reply.json.data.map(({ teams }) => teams.map(({ name }) => name).join(' v '))

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
    'has every field that the specification names, and no other (skipped where ../shared is absent)',
    async () => {
      const line = readFileSync(spec, 'utf8')
        .split('\n')
        .find((each) => each.startsWith('`fixtureId`, `sport`'))!
      const fields = (text: string): string[] => [...text.matchAll(/`(\w+)`/g)].map((match) => match[1]!)
      // What stands in braces or brackets belongs to the word before it.
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

  it('a row says what is known and no more', async () => {
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

  it('says how fresh it is, and of what', async () => {
    const { json } = await list()
    expect(json.meta).toEqual({
      asOf: '2026-05-10T11:59:59.000Z',
      degraded: false,
      degradedReason: null,
      engine: { heartbeatAt: '2026-05-10T11:59:58.000Z', lagMs: 3_000, fixtures: 8, blocks: expect.any(Number) },
      index: { refreshedAt: '2026-05-10T11:59:59.000Z', fixtures: 8 },
      freshness: { live: 120_000, day: 600_000, week: 3_600_000 },
      unplaced: { market_type: 1 },
    })
  })

  it('a day without a moment lies in a window that touches its UTC day', async () => {
    const of = async (from: string, to: string) => names(await list(`?from=${from}&to=${to}&competition=epl`))
    expect(await of('2026-05-12T23:59:59Z', '2026-05-13T00:00:00Z')).toEqual(['Liverpool v Brighton'])
    expect(await of('2026-05-11T00:00:00Z', '2026-05-12T00:00:00Z')).toEqual(['Liverpool v Brighton'])
    expect(await of('2026-05-11', '2026-05-11T23:59:59Z')).toEqual([])
    expect(await of('2026-05-13', '2026-05-14')).toEqual([])
    // A moment is compared as one.
    expect(await of('2026-05-10T10:00:00Z', '2026-05-10T10:00:01Z')).toEqual(['Everton v Fulham'])
    expect(await of('2026-05-10T10:00:00.001Z', '2026-05-11')).toEqual([])
    expect(await of('2026-05-10T11:59:59%2B02:00', '2026-05-10T12:00:00%2B02:00')).toEqual(['Everton v Fulham'])
  })

  it('narrows by sport, competition, team, venue and status; what nobody knows is nobody’s', async () => {
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
  ])('refuses %s', async (query, field) => {
    const reply = await list(`?${query}`)
    expect([reply.status, reply.json.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(reply.json.error.message).toContain(field)
  })

  it('takes a window of 31 days, and a limit of two hundred for any greater one', async () => {
    const reply = await list('?from=2026-05-01&to=2026-06-01&limit=100000')
    expect([reply.status, reply.json.page.limit, reply.json.data.length]).toEqual([200, 200, 8])
    expect((await list()).json.page.limit).toBe(50)
  })

  it('pages by kickoff: every row once, in order, whatever is asked beside', async () => {
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

describe('what a caller has already', () => {
  it('is answered 304 without a body, until something of it changes', async () => {
    const world = createSportsWorld(inputs)
    const path = '/v1/sports/fixtures?competition=mlb'
    const first = await world.get(path)
    expect(first.headers.etag).toMatch(/^W\/"pss1:[\w-]{27}"$/)
    expect(first.headers['cache-control']).toBe('private, no-cache, must-revalidate')
    const held = { headers: { 'if-none-match': first.headers.etag! } }
    // Later, and the mirror has looked again: the same rows are the same answer.
    world.clock.advance(5_000)
    world.told.snapshot = { ...world.told.snapshot!, refreshedAt: world.clock.now() }
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
    // Of another question it says nothing.
    expect((await world.get('/v1/sports/fixtures?team=mlb:kc', held)).status).toBe(200)
    expect((await world.get(path, { headers: { 'if-none-match': '*' } })).status).toBe(200)
    const { head, builtAt } = world.told.snapshot.index.get(first.json.data[0].fixtureId)!
    world.told.snapshot.index.apply([{ fixtureId: head.fixtureId, head: { ...head, said: 'postponed' }, builtAt }])
    const changed = await world.get(path, held)
    expect([changed.status, changed.json.data[0].status]).toEqual([200, 'postponed'])
    expect(changed.headers.etag).not.toBe(first.headers.etag)
  })

  it.each([
    ['the mirror cannot ask', 'index_not_refreshed', (world: SportsWorld) => world.clock.advance(16_000)],
    [
      'the engine is silent',
      'engine_silent',
      (world: SportsWorld) => {
        const snapshot = world.told.snapshot!
        world.told.snapshot = { ...snapshot, engine: { ...snapshot.engine, heartbeatAt: start - 60_000 } }
      },
    ],
    [
      'the engine lags',
      'engine_behind',
      (world: SportsWorld) => {
        const snapshot = world.told.snapshot!
        world.told.snapshot = { ...snapshot, engine: { ...snapshot.engine, readAt: start - 700_000 } }
      },
    ],
  ])('is given whole with stale flags while %s', async (_, reason, worsen) => {
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

  it('what begins in days may lag for longer than what is played now', async () => {
    const world = createSportsWorld(inputs)
    const snapshot = world.told.snapshot!
    world.told.snapshot = { ...snapshot, engine: { ...snapshot.engine, readAt: start - 300_000 } }
    const { json } = await world.get('/v1/sports/fixtures')
    expect(json.meta.degradedReason).toBe('engine_behind')
    expect(
      json.data.filter(({ stale }: { stale: boolean }) => stale).map(({ status }: { status: string }) => status),
    ).toEqual(['live'])
    expect((await world.get('/v1/sports/fixtures?competition=mlb')).json.meta.degraded).toBe(false)
  })
})

describe('before the engine’s first pass, and while dark', () => {
  const paths = ['fixtures', 'fixtures/fx_1', 'screen', 'compare?fixture=fx_1', 'facets']
  it.each(paths)('%s says so', async (path) => {
    const world = createSportsWorld([])
    world.told.snapshot = null
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
  it('has every market and what each of its outcomes stands for', async () => {
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

  it('is 404 for an id of none, and 503 where its markets cannot be read', async () => {
    const world = createSportsWorld(inputs)
    const none = await world.get('/v1/sports/fixtures/fx_none')
    expect([none.status, none.json.error.code]).toEqual([404, 'SPORTS_FIXTURE_NOT_FOUND'])
    world.told.entriesFail = true
    const reply = await world.get(`/v1/sports/fixtures/${world.idOf('Leeds v Burnley')}`)
    expect([reply.status, reply.json.error.code]).toEqual([503, 'SPORTS_SCREEN_UNAVAILABLE'])
  })
})

describe('GET /v1/sports/screen', () => {
  it('has the best price for each result and every venue’s own, from live books alone', async () => {
    const world = createSportsWorld(inputs)
    const det = 'KXMLBGAME-26MAY101920DETKC-DET'
    const kc = 'KXMLBGAME-26MAY101920DETKC-KC'
    world.quotes.set(`kalshi:${det}#0`, live(0.44, 0.46))
    world.quotes.set(`kalshi:${det}#1`, live(0.54, 0.56))
    // No of the other side is the cheaper way to the same result.
    world.quotes.set(`kalshi:${kc}#1`, live(0.42, 0.45, { asOf: start - 9_000 }))
    world.quotes.set(`kalshi:${kc}#0`, live(0.55, 0.58))
    world.quotes.set('polymarket:900001#0', live(0.43, 0.47))
    world.quotes.set('polymarket:900001#1', live(0.53, null))
    world.quotes.set('sxbet:0x01#1', live(0.1, 0.2, { state: 'stale' }))
    const { json } = await world.get('/v1/sports/screen?competition=mlb')
    const [{ market: screened }] = json.data
    expect(screened).toMatchObject({ marketType: 'moneyline', period: 'game', slot: 'game', line: null })
    const [tigers, royals] = screened.outcomes
    expect(tigers).toMatchObject({
      outcome: 'mlb:det',
      name: 'Detroit Tigers',
      best: { venue: 'kalshi', marketId: kc, outcomeId: `${kc}#1`, price: 0.45, size: 50 },
    })
    expect(royals.best).toMatchObject({ venue: 'kalshi', outcomeId: `${det}#1`, price: 0.56 })
    const states = tigers.venues.map(({ venue, state, ask }: never) => [venue, state, ask])
    expect(states).toEqual([
      ['kalshi', 'live', 0.45],
      ['polymarket', 'live', 0.47],
      ['polymarket_us', 'none', null],
      ['sxbet', 'stale', null],
    ])
    // The oldest book that was served.
    expect(json.meta.asOf).toBe(new Date(start - 9_000).toISOString())
    // What is not live has been asked for.
    expect(world.asked).toContain('polymarket_us:aec-mlb-det-kc-2026-05-10#0')
    expect(world.asked).toContain('sxbet:0x01#1')
    expect(world.asked).not.toContain(`kalshi:${det}#0`)
  })

  it('takes the line that most venues have, or the one asked for', async () => {
    const world = createSportsWorld(inputs)
    const screened = async (query: string) =>
      (await world.get(`/v1/sports/screen?${query}`)).json.data.map(({ market: { line, outcomes } }: never) => [
        line,
        (outcomes as never[]).length,
      ])
    expect(await screened('marketType=spread')).toEqual([[1.5, 2]])
    expect(await screened('marketType=spread&line=-2.5')).toEqual([[-2.5, 2]])
    expect(await screened('marketType=spread&line=4.5')).toEqual([])
    expect(await screened('marketType=total')).toEqual([[8.5, 2]])
    expect(await screened('marketType=team_total&slot=mlb:det')).toEqual([[3.5, 2]])
    expect(await screened('marketType=team_total')).toEqual([])
    expect(await screened('marketType=moneyline&period=half_1')).toEqual([])
  })

  it('asks for so many books and no more, and serves fifty games at most', async () => {
    const many = Array.from({ length: 120 }, (_, n) =>
      soccer(`9${n}`, `Home ${word(n)} vs Away ${word(n)}`, '2026-05-11T12:00:00.000Z'),
    )
    const world = createSportsWorld(many)
    const reply = await world.get('/v1/sports/screen?marketType=draw_no_bet&limit=200')
    expect([reply.json.page.limit, reply.json.data.length, world.asked.length]).toEqual([50, 50, 100])
    expect(
      (await world.get(`/v1/sports/screen?marketType=draw_no_bet&limit=200&cursor=${reply.json.nextCursor}`)).json.data,
    ).toHaveLength(50)
    expect((await world.get('/v1/sports/screen')).json.page.limit).toBe(20)
  })

  it.each(['line=much', 'line=1e9', 'marketType=', 'from=2026-05-10&to=2026-08-10', 'cursor=x', 'fixture=fx_1'])(
    'refuses %s',
    async (query) => {
      const reply = await createSportsWorld(inputs).get(`/v1/sports/screen?${query}`)
      expect([reply.status, reply.json.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    },
  )

  it('is 304 until a price moves, and 503 where markets cannot be read', async () => {
    const world = createSportsWorld(inputs)
    world.quotes.set('polymarket:900001#0', live(0.43, 0.47))
    const path = '/v1/sports/screen?competition=mlb'
    const { headers } = await world.get(path)
    const held = { headers: { 'if-none-match': headers.etag! } }
    expect((await world.get(path, held)).status).toBe(304)
    world.quotes.set('polymarket:900001#0', live(0.43, 0.48))
    expect((await world.get(path, held)).status).toBe(200)
    world.told.entriesFail = true
    expect((await world.get(path)).json.error.code).toBe('SPORTS_SCREEN_UNAVAILABLE')
  })
})

describe('GET /v1/sports/compare', () => {
  it('has every line and venue, with the margin and without it', async () => {
    const world = createSportsWorld(inputs)
    world.quotes.set('polymarket:900001#0', live(0.43, 0.46))
    world.quotes.set('polymarket:900001#1', live(0.53, 0.58))
    world.quotes.set('sxbet:0x01#1', live(0.4, 0.44))
    world.quotes.set('sxbet:0x01#0', live(0.5, 0.56))
    world.quotes.set('polymarket_us:aec-mlb-det-kc-2026-05-10#0', live(0.4, 0.47))
    const fixture = world.idOf('Detroit Tigers v Kansas City Royals')
    const { json } = await world.get(`/v1/sports/compare?fixture=${fixture}`)
    expect(json.data).toMatchObject({
      fixture: { fixtureId: fixture, market: null },
      marketType: 'moneyline',
      method: 'proportional',
    })
    const [{ line, outcomes, venues }] = json.data.lines
    expect(line).toBeNull()
    const of = (venue: string) => venues.find((each: { venue: string }) => each.venue === venue)
    expect([of('polymarket').overround, of('polymarket').outcomes.map(({ noVig }: never) => noVig)]).toEqual([
      0.04,
      [0.442308, 0.557692],
    ])
    expect([of('sxbet').overround, of('sxbet').outcomes.map(({ noVig }: never) => noVig)]).toEqual([0, [0.44, 0.56]])
    // One side alone tells nothing of the margin.
    expect([of('polymarket_us').overround, of('polymarket_us').outcomes[0].noVig]).toEqual([null, null])
    expect(
      outcomes.map(({ outcome, noVig, best }: never) => [outcome, noVig, (best as { venue: string }).venue]),
    ).toEqual([
      ['mlb:det', 0.441154, 'sxbet'],
      ['mlb:kc', 0.558846, 'sxbet'],
    ])
  })

  it('has the lines of a spread in order, or the one asked for', async () => {
    const world = createSportsWorld(inputs)
    const fixture = world.idOf('Detroit Tigers v Kansas City Royals')
    const lines = async (query: string) =>
      (await world.get(`/v1/sports/compare?fixture=${fixture}&marketType=spread${query}`)).json.data.lines.map(
        ({ line }: { line: number }) => line,
      )
    expect(await lines('')).toEqual([-2.5, 1.5])
    expect(await lines('&line=1.5')).toEqual([1.5])
  })

  it('three results need all three', async () => {
    const title = 'Arsenal FC vs. Chelsea FC'
    const leg = (id: string, text: string) =>
      market('polymarket', id, {
        tags: ['Soccer', 'EPL'],
        eventTitle: title,
        title: text,
        said: { gameStartTime: '2026-05-10T15:00:00.000Z' },
      })
    const world = createSportsWorld([
      leg('1', 'Will Arsenal FC win on 2026-05-10?'),
      leg('2', 'Will Arsenal FC vs. Chelsea FC end in a draw?'),
      leg('3', 'Will Chelsea FC win on 2026-05-10?'),
    ])
    for (const [id, ask] of [
      ['1', 0.5],
      ['2', 0.3],
    ] as const)
      world.quotes.set(`polymarket:${id}#0`, live(null, ask))
    const fixture = world.idOf('Arsenal FC v Chelsea FC')
    const compared = async () => (await world.get(`/v1/sports/compare?fixture=${fixture}`)).json.data.lines[0]
    expect((await compared()).outcomes.map(({ outcome, noVig }: never) => [outcome, noVig])).toEqual([
      ['soccer:arsenal', null],
      ['soccer:chelsea', null],
      ['draw', null],
    ])
    world.quotes.set('polymarket:3#0', live(null, 0.25))
    expect((await compared()).outcomes.map(({ noVig }: never) => noVig)).toEqual([0.47619, 0.238095, 0.285714])
  })

  it.each([
    ['fixture=fx_none', 404, 'SPORTS_FIXTURE_NOT_FOUND'],
    ['fixture=ID&marketType=corners', 404, 'SPORTS_BLOCK_NOT_FOUND'],
    ['fixture=ID&marketType=spread&line=99.5', 404, 'SPORTS_BLOCK_NOT_FOUND'],
    ['fixture=ID&period=half_2', 404, 'SPORTS_BLOCK_NOT_FOUND'],
    ['', 400, 'VALIDATION_ERROR'],
    ['fixture=', 400, 'VALIDATION_ERROR'],
    ['fixture=ID&venue=kalshi', 400, 'VALIDATION_ERROR'],
  ])('%s is %i %s', async (query, status, code) => {
    const world = createSportsWorld(inputs)
    const reply = await world.get(
      `/v1/sports/compare?${query.replace('ID', world.idOf('Detroit Tigers v Kansas City Royals'))}`,
    )
    expect([reply.status, reply.json.error.code]).toEqual([status, code])
  })
})

describe('GET /v1/sports/facets', () => {
  it('counts the fixtures of the list’s own window', async () => {
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
    'refuses %s',
    async (query) => {
      const reply = await createSportsWorld(inputs).get(`/v1/sports/facets?${query}`)
      expect([reply.status, reply.json.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    },
  )
})

/** Words without digits, all different. */
const word = (n: number): string =>
  `${String.fromCharCode(97 + (n % 26))}${String.fromCharCode(97 + Math.floor(n / 26))}town`.repeat(1 + (n % 3))
