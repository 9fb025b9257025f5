// The sports routes with prices: the best of each result, and one bet across venues.
import { describe, expect, it } from 'vitest'
import { inputs, soccer, start } from './games.ts'
import { market } from './markets.ts'
import { createSportsWorld, live } from './world.ts'

describe('GET /v1/sports/screen', () => {
  it('has the best price for each result and that of every venue, from live books only', async () => {
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
    // The oldest served book.
    expect(json.meta.asOf).toBe(new Date(start - 9_000).toISOString())
    // Demand was sent for what is not live.
    expect(world.heldOutcomes).toContain('polymarket_us:aec-mlb-det-kc-2026-05-10#0')
    expect(world.heldOutcomes).toContain('sxbet:0x01#1')
    expect(world.heldOutcomes).not.toContain(`kalshi:${det}#0`)
  })

  it('takes the line that most venues have, or the requested one', async () => {
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

  it('limits its requests for books, and returns at most fifty games', async () => {
    const many = Array.from({ length: 120 }, (_, n) =>
      soccer(`9${n}`, `Home ${word(n)} vs Away ${word(n)}`, '2026-05-11T12:00:00.000Z'),
    )
    const world = createSportsWorld(many)
    const reply = await world.get('/v1/sports/screen?marketType=draw_no_bet&limit=200')
    expect([reply.json.page.limit, reply.json.data.length, world.heldOutcomes.length]).toEqual([50, 50, 100])
    expect(
      (await world.get(`/v1/sports/screen?marketType=draw_no_bet&limit=200&cursor=${reply.json.nextCursor}`)).json.data,
    ).toHaveLength(50)
    expect((await world.get('/v1/sports/screen')).json.page.limit).toBe(20)
  })

  it.each(['line=much', 'line=1e9', 'marketType=', 'from=2026-05-10&to=2026-08-10', 'cursor=x', 'fixture=fx_1'])(
    'rejects %s',
    async (query) => {
      const reply = await createSportsWorld(inputs).get(`/v1/sports/screen?${query}`)
      expect([reply.status, reply.json.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    },
  )

  it('is a 304 until a price changes, and a 503 if markets cannot be read', async () => {
    const world = createSportsWorld(inputs)
    world.quotes.set('polymarket:900001#0', live(0.43, 0.47))
    const path = '/v1/sports/screen?competition=mlb'
    const { headers } = await world.get(path)
    const held = { headers: { 'if-none-match': headers.etag! } }
    expect((await world.get(path, held)).status).toBe(304)
    world.quotes.set('polymarket:900001#0', live(0.43, 0.48))
    expect((await world.get(path, held)).status).toBe(200)
    world.mirror.entriesFail = true
    expect((await world.get(path)).json.error.code).toBe('SPORTS_SCREEN_UNAVAILABLE')
  })
})

describe('GET /v1/sports/compare', () => {
  it('has every line and venue, with and without the margin', async () => {
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
    // One side alone does not show the margin.
    expect([of('polymarket_us').overround, of('polymarket_us').outcomes[0].noVig]).toEqual([null, null])
    expect(
      outcomes.map(({ outcome, noVig, best }: never) => [outcome, noVig, (best as { venue: string }).venue]),
    ).toEqual([
      ['mlb:det', 0.441154, 'sxbet'],
      ['mlb:kc', 0.558846, 'sxbet'],
    ])
  })

  it('has the lines of a spread in order, or the requested one', async () => {
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
        metadata: { gameStartTime: '2026-05-10T15:00:00.000Z' },
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

/** Words without digits, all different. */
const word = (n: number): string =>
  `${String.fromCharCode(97 + (n % 26))}${String.fromCharCode(97 + Math.floor(n / 26))}town`.repeat(1 + (n % 3))

describe('a price without margin', () => {
  it('is missing if a draw is possible that no venue sells', async () => {
    const sideMarket = (id: string, team: string) =>
      soccer(id, 'Everton vs Fulham', '2026-05-10T10:00:00.000Z', {
        ...{ title: `Will ${team} win?`, subtitle: team },
        outcomes: ['Yes', 'No'].map((label, n) => ({ outcomeId: `${id}#${n}`, label })),
      })
    const price = async (...sold: ReturnType<typeof sideMarket>[]) => {
      const world = createSportsWorld(sold)
      for (const { marketId } of sold) world.quotes.set(`polymarket:${marketId}#0`, live(0.3, 0.32))
      const { fixtureId } = (await world.get('/v1/sports/fixtures')).json.data[0]
      const { json } = await world.get(`/v1/sports/compare?fixture=${fixtureId}&marketType=moneyline`)
      const [line] = json.data.lines
      return [line.venues[0].overround, ...line.outcomes.map(({ noVig }: { noVig: number | null }) => noVig)]
    }
    const [home, away, draw] = [sideMarket('1', 'Everton'), sideMarket('2', 'Fulham'), sideMarket('3', 'Draw')]
    expect(await price(home, away)).toEqual([null, null, null])
    expect((await price(home, away, draw))[0]).toBe(-0.04)
  })
})
