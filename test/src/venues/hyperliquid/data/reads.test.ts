// The walk and the single-market read, against recorded lists and a server with the venue’s behaviour.
import { afterEach, describe, expect, it } from 'vitest'
import { Event, type Market } from '#schemas/market'
import { readCatalogFacts } from '#venues/hyperliquid/exec/facts'
import { hyperliquid } from '#venues/hyperliquid/index'
import { type Answers, fixture, type InfoServer, serveInfo, spotContext, template, templated } from './support.ts'

const { walkCatalog, fetchMarket } = hyperliquid.data
const recorded = fixture('outcome_meta.json') as { outcomes: { outcome: number }[]; questions: { question: number }[] }
const contexts = (rows: unknown[]) => [{ universe: [], tokens: [] }, rows]

let server: InfoServer
afterEach(() => server.close())
const serve = async (answers: Answers): Promise<void> => {
  const usual = { outcomeTemplates: [template], spotMetaAndAssetCtxs: contexts([]), settledOutcome: null }
  server = await serveInfo({ ...usual, ...answers })
}

async function walk(): Promise<Event[]> {
  const events: Event[] = []
  for await (const page of walkCatalog(server.context, { updatedSinceMs: null })) events.push(...page.events)
  return events
}
const marketsOf = (events: Event[]): Market[] => events.flatMap(({ markets }) => markets)
const requestsOf = (type: string) => server.requests.filter((one) => one.type === type)

describe('the catalog walk', () => {
  it('lists every recorded outcome under its question in our schema, without fallbacks', async () => {
    await serve({ outcomeMeta: recorded })
    const events = await walk()
    for (const event of events) Event.parse(event)
    expect(events.map(({ id, markets }) => [id, markets.map(({ marketId }) => marketId)])).toEqual([
      ['outcome-220', ['220']],
      ['33', ['222', '223', '224']],
      ['outcome-170', ['170']],
      ['32', ['173']],
      ['19', ['101']],
    ])
    expect(marketsOf(events).every(({ status }) => status === 'active')).toBe(true)
  })

  it('titles all three kinds: recurring, plain and templated', async () => {
    await serve({ outcomeMeta: { outcomes: [...recorded.outcomes, templated], questions: recorded.questions } })
    const named = Object.fromEntries(marketsOf(await walk()).map((market) => [market.marketId, market]))
    expect(Object.fromEntries(Object.entries(named).map(([id, { title }]) => [id, title]))).toEqual({
      101: 'May CPI year-over-year: Below 4.3%',
      170: 'NBA Finals Game 3',
      173: '2026 World Cup Champion: Argentina',
      220: 'BTC above 61720 at Jun 8, 2026 06:00 UTC?',
      222: 'BTC below 60485 at Jun 8, 2026 06:00 UTC?',
      223: 'BTC from 60485 to 62954 at Jun 8, 2026 06:00 UTC?',
      224: 'BTC above 62954 at Jun 8, 2026 06:00 UTC?',
      516: 'xyz:SILVER above 64.128 at Dec 1, 2026 06:30 UTC?',
    })
    expect(named[516]).toMatchObject({
      description: 'Resolves to Yes if xyz:SILVER is above 64.128 at Dec 1, 2026 06:30 UTC, by a 60-second TWAP.',
      resolutionDate: '2026-12-01T06:30:00.000Z',
      slug: 'xyzsilver-above-64128-at-dec-1-2026-0630-utc',
    })
    expect(named[516]?.outcomes.map(({ label }) => label)).toEqual(['Yes', 'No'])
    expect(named[220]?.resolutionDate).toBe('2026-06-08T06:00:00.000Z')
    expect(named[224]?.resolutionDate).toBe('2026-06-08T06:00:00.000Z')
    expect(named[170]?.outcomes.map(({ label }) => label)).toEqual(['San Antonio', 'New York'])
    expect(named[170]).toMatchObject({ category: 'sports' })
    expect(named[170]).not.toHaveProperty('resolutionDate')
  })

  it('uses the name of an outcome that has no description as its title', async () => {
    const outcomes = recorded.outcomes.map((outcome) => ({ ...outcome, description: undefined }))
    await serve({ outcomeMeta: { ...recorded, outcomes } })
    const named = Object.fromEntries(marketsOf(await walk()).map(({ marketId, title }) => [marketId, title]))
    expect(Object.keys(named)).toEqual(['101', '170', '173', '220', '222', '223', '224'])
    expect(named).toMatchObject({
      170: 'NBA Finals Game 3',
      173: '2026 World Cup Champion: Argentina',
      220: 'Recurring',
    })
  })

  it('carries the facts that the lane builds from, and the 24h volume of both sides', async () => {
    await serve({
      outcomeMeta: { outcomes: [templated], questions: [] },
      spotMetaAndAssetCtxs: contexts([
        spotContext('PURR/USDC', '9', '0.2'),
        spotContext('#5160', '120.5', '0.415'),
        spotContext('#5161', '79.25', '0.585'),
      ]),
    })
    const [event] = await walk()
    const [market] = event!.markets
    expect(market).toMatchObject({
      marketId: '516',
      eventId: 'outcome-516',
      tickSize: 0.00001,
      volume24h: 199.75,
      volume24hSource: 'venue',
      url: 'https://app.hyperliquid.xyz/outcomes/%235160',
      outcomes: [
        { outcomeId: '#5160', price: 0.415, metadata: { volume24h: 120.5, circulatingSupply: 250 } },
        { outcomeId: '#5161', price: 0.585 },
      ],
      sourceMetadata: { outcome: 516, quoteToken: 'USDC', deployerFeeScale: '1.0', deployerName: 'out' },
    })
    expect(event).toMatchObject({ volume24h: 199.75, volume24hSource: { sources: ['venue'], partial: false } })
    for (const [index, side] of (['YES', 'NO'] as const).entries()) {
      const facts = readCatalogFacts({ market: market!, outcome: market!.outcomes[index]!, side })
      expect(facts).toMatchObject({ asset: 100_005_160 + index, quoteToken: 'USDC', deployerFeeScale: '1.0' })
    }
  })

  it('every recorded row satisfies the lane', async () => {
    await serve({ outcomeMeta: recorded })
    for (const market of marketsOf(await walk())) {
      const facts = readCatalogFacts({ market, outcome: market.outcomes[1]!, side: 'NO' })
      expect(facts).toMatchObject({ encoding: Number(market.marketId) * 10 + 1, deployerFeeScale: null })
    }
  })

  it('maps missing values to null or omits them, never to zero', async () => {
    await serve({ outcomeMeta: { outcomes: [{ ...templated, quoteToken: undefined }], questions: [] } })
    server.answers.outcomeTemplates = { status: 422 }
    server.answers.spotMetaAndAssetCtxs = { status: 422 }
    const [market] = marketsOf(await walk())
    expect(market).toMatchObject({ volume24h: null, volume: null, liquidity: null, openInterest: null })
    expect(market?.volume24hSource).toBe('venue')
    expect(market?.outcomes.map(({ price, bestBid, bestAsk }) => [price, bestBid, bestAsk])).toEqual([
      [null, null, null],
      [null, null, null],
    ])
    expect(market?.sourceMetadata).not.toHaveProperty('quoteToken')
    // Without its template a market still has a distinct title.
    expect(market?.title).toBe(`binaryPrice ${templated.description}`)
    expect(() => readCatalogFacts({ market: market!, outcome: market!.outcomes[0]!, side: 'YES' })).toThrow(
      /catalog does not know enough/,
    )
  })

  it('does not report one side’s volume as the market’s; zero is a value', async () => {
    await serve({
      outcomeMeta: { outcomes: [templated, { ...templated, outcome: 517 }], questions: [] },
      spotMetaAndAssetCtxs: contexts([
        spotContext('#5160', '120.5', '0.4'),
        spotContext('#5170', '0.0', '0'),
        spotContext('#5171', '0.0', '1.0'),
      ]),
    })
    const [half, quiet] = marketsOf(await walk())
    expect(half?.volume24h).toBeNull()
    expect(quiet).toMatchObject({ volume24h: 0, volume24hSource: 'venue' })
    expect(quiet?.outcomes.map(({ price }) => price)).toEqual([null, null])
  })

  it('rejects a list of another format; one bad row does not affect the others', async () => {
    await serve({ outcomeMeta: { markets: [] } })
    await expect(walk()).rejects.toMatchObject({ code: 'NETWORK_ERROR', exchange: 'hyperliquid' })
    const bad = [{ outcome: 'x' }, null, { ...templated, sideSpecs: [{ name: 'Yes' }] }]
    server.answers.outcomeMeta = { outcomes: [...bad, templated], questions: [7] }
    expect(marketsOf(await walk()).map(({ marketId }) => marketId)).toEqual(['516'])
  })

  it('splits thousands of outcomes into pages, each event complete and once', async () => {
    const outcomes = Array.from({ length: 3_001 }, (_, outcome) => ({ ...templated, outcome }))
    const questions = [1, 2].map((question) => ({
      question,
      name: `Question ${question}`,
      description: '',
      fallbackOutcome: 3_000 - question,
      namedOutcomes: Array.from({ length: 500 }, (_, index) => question * 1_000 + index),
      settledNamedOutcomes: [],
    }))
    await serve({ outcomeMeta: { outcomes, questions } })
    const pages: Event[][] = []
    for await (const { events } of walkCatalog(server.context, { updatedSinceMs: 1 })) pages.push(events)
    const events = pages.flat()
    expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(200)
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
    expect(events.find(({ id }) => id === '2')?.markets).toHaveLength(500)
    expect(marketsOf(events)).toHaveLength(3_001 - 2)
  })
})

describe('an outcome that left the list', () => {
  /** Numbered from 0, so that the initial scan of earlier numbers finds nothing. */
  const spec = (outcome: number) => ({ ...templated, outcome })
  const list = (...numbers: number[]) => ({ outcomes: numbers.map(spec), questions: [] as unknown[] })
  const settle = (fraction: string) => (one: { outcome?: unknown }) => ({
    spec: spec(Number(one.outcome)),
    settleFraction: fraction,
    details: 'price:78212.4',
  })
  const requestedNumbers = () => requestsOf('settledOutcome').map(({ outcome }) => outcome)

  it('is read by number and published as resolved, once', async () => {
    await serve({ outcomeMeta: list(0, 1), settledOutcome: settle('1') })
    expect(await walk()).toHaveLength(2)
    expect(requestedNumbers()).toEqual([])
    server.answers.outcomeMeta = list(1)
    const gone = marketsOf(await walk()).find(({ marketId }) => marketId === '0')
    expect(gone).toMatchObject({
      status: 'resolved',
      eventId: 'outcome-0',
      volume24h: null,
      outcomes: [{ price: 1 }, { price: 0 }],
      sourceMetadata: { settleFraction: '1', settleDetails: 'price:78212.4' },
    })
    expect(marketsOf(await walk()).map(({ marketId }) => marketId)).toEqual(['1'])
    expect(requestedNumbers()).toEqual([0])
  })

  it('a settle fraction pays both sides exactly; an invalid fraction leaves the payout unknown', async () => {
    await serve({ outcomeMeta: list(0, 1), settledOutcome: settle('0.3') })
    await walk()
    server.answers.outcomeMeta = list(1)
    expect(marketsOf(await walk())[1]?.outcomes.map(({ price }) => price)).toEqual([0.3, 0.7])
    server.answers.outcomeMeta = list()
    server.answers.settledOutcome = settle('1.5')
    expect(marketsOf(await walk())[0]?.outcomes.map(({ price }) => price)).toEqual([null, null])
  })

  it('is requested again while the venue does not answer or the catalog did not store it', async () => {
    await serve({ outcomeMeta: list(0) })
    await walk()
    server.answers.outcomeMeta = list()
    expect(await walk()).toEqual([])
    server.answers.settledOutcome = { status: 422 }
    expect(await walk()).toEqual([])
    server.answers.settledOutcome = settle('0')
    // The catalog fails while writing, so the walk ends early.
    for await (const page of walkCatalog(server.context, { updatedSinceMs: null })) {
      expect(page.events).toHaveLength(1)
      break
    }
    expect(await walk()).toHaveLength(1)
    expect(await walk()).toEqual([])
    expect(requestedNumbers()).toEqual([0, 0, 0, 0])
  })

  it('is requested thirteen times at most when it is neither listed nor settled', async () => {
    await serve({ outcomeMeta: list(0) })
    await walk()
    server.answers.outcomeMeta = list()
    for (let i = 0; i < 20; i++) await walk()
    expect(requestedNumbers()).toHaveLength(13)
  })

  it('are read in batches of twenty per walk until all are published', async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index)
    await serve({ outcomeMeta: list(...numbers), settledOutcome: settle('1') })
    await walk()
    server.answers.outcomeMeta = list()
    const publishedCounts = [await walk(), await walk(), await walk(), await walk()].map(
      (events) => marketsOf(events).length,
    )
    expect(publishedCounts).toEqual([20, 20, 10, 0])
  })

  it('after a start reads the last two hundred numbers once each, after outcomes that leave the list now', async () => {
    const settledBefore = (one: { outcome?: unknown }) => (Number(one.outcome) === 995 ? settle('1')(one) : null)
    await serve({ outcomeMeta: list(998, 1_000), settledOutcome: settledBefore })
    expect(marketsOf(await walk()).map(({ marketId, status }) => [marketId, status])).toEqual([
      ['998', 'active'],
      ['1000', 'active'],
      ['995', 'resolved'],
    ])
    expect(requestedNumbers().slice(0, 3)).toEqual([999, 997, 996])
    server.answers.outcomeMeta = list(1_000)
    server.answers.settledOutcome = (one: { outcome?: unknown }) => (one.outcome === 998 ? settle('0')(one) : null)
    expect(marketsOf(await walk())).toHaveLength(2)
    expect(requestedNumbers()[20]).toBe(998)
    for (let i = 0; i < 12; i++) await walk()
    expect(requestedNumbers()).toHaveLength(200)
    expect(new Set(requestedNumbers())).toEqual(new Set(Array.from({ length: 200 }, (_, index) => 800 + index)))
  })

  it('a settled outcome of an open question is listed with its siblings', async () => {
    const question = {
      question: 7,
      name: 'Who wins?',
      description: '',
      fallbackOutcome: 0,
      namedOutcomes: [1, 2],
      settledNamedOutcomes: [2],
    }
    const named = { ...spec(1), name: 'A', description: '' }
    await serve({
      outcomeMeta: { outcomes: [named, { ...named, outcome: 0 }], questions: [question] },
      settledOutcome: {
        spec: { ...named, outcome: 2, name: 'B' },
        settleFraction: '0',
        details: '',
        question: { question: { active: 7 }, name: 'Who wins?', description: '' },
      },
    })
    // The last version of an event wins: here the second.
    const event = (await walk()).at(-1)
    expect(event).toMatchObject({
      id: '7',
      title: 'Who wins?',
      sourceMetadata: { mutuallyExclusive: true, fallbackOutcome: 0, settledNamedOutcomes: [2] },
      markets: [
        { marketId: '1', title: 'Who wins: A', status: 'active' },
        { marketId: '2', title: 'Who wins: B', status: 'resolved' },
      ],
    })
    await walk()
    expect(requestedNumbers()).toEqual([2])
  })
})

describe('a single market', () => {
  it('is found by its number and by either coin, with its siblings', async () => {
    await serve({ outcomeMeta: recorded })
    for (const id of ['223', '#2230', '#2231']) {
      const found = await fetchMarket(server.context, id)
      expect(found?.market).toMatchObject({ marketId: '223', eventId: '33' })
      expect(found?.event?.markets.map(({ marketId }) => marketId).sort()).toEqual(['222', '223', '224'])
    }
  })

  it('that has settled is read by its number', async () => {
    await serve({
      outcomeMeta: recorded,
      settledOutcome: {
        spec: { ...templated, outcome: 12 },
        settleFraction: '1',
        details: '',
        question: { question: { settled: 4 }, name: 'Recurring', description: 'class:priceBucket|underlying:BTC' },
      },
    })
    const found = await fetchMarket(server.context, '12')
    expect(found).toMatchObject({ market: { status: 'resolved', eventId: '4' }, event: { id: '4' } })
  })

  it('is null for unknown numbers, fallbacks and invalid ids', async () => {
    await serve({ outcomeMeta: recorded, settledOutcome: null })
    for (const id of ['9999', '221']) expect(await fetchMarket(server.context, id)).toBeNull()
    const before = server.requests.length
    for (const id of ['', 'BTC', '#', '#2', '#0221', '007', '-1', '1e3', '12345678', '../info']) {
      expect(await fetchMarket(server.context, id), id).toBeNull()
    }
    expect(server.requests).toHaveLength(before)
  })

  it('an answer about another outcome is rejected', async () => {
    await serve({ outcomeMeta: recorded, settledOutcome: { spec: templated, settleFraction: '1', details: '' } })
    await expect(fetchMarket(server.context, '12')).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})
