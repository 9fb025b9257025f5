import { describe, expect, it } from 'vitest'
import type { CompatRow } from '#arbitrage/fetchArbitrage'
import { surfaceReads } from '#arbitrage/surfaceView'
import { type ArbitrageRow, ArbitrageRow as RowShape } from '#schemas/arbitrage'
import { publishedView } from '#test/src/arbitrage/published'
import { sampleEvent, sampleMarket } from '#test/src/marketData/catalog/samples'
import { createWorld, keys } from '#test/src/server/http/world'

const path = '/api/router/fetchArbitrage'

function world(shown = true) {
  const { view, all } = publishedView(3, shown)
  return { ...createWorld({ overrides: { arbitrage: surfaceReads(view) } }), all }
}

const paying = { key: keys.builder }

describe('fetchArbitrage', () => {
  it('returns the published rows, best first, in the documented shape', async () => {
    const { get, all } = world()
    const { status, json } = await get(`${path}?limit=1000&compat=false`, paying)
    expect(status).toBe(200)
    const rows = json.data as ArbitrageRow[]
    expect(rows).toHaveLength(Math.min(all.length, 1_000))
    for (const row of rows) {
      RowShape.strict().parse(row)
      expect(row).toEqual(all.find(({ clusterId }) => clusterId === row.clusterId))
    }
    expect(json).toMatchObject({
      provenance: { source: 'computed' },
      meta: { contracts: 10, limit: 1_000, venuesLeftOut: 2 },
    })
    expect((await get(`${path}?compat=false`, paying)).json.data).toEqual(rows.slice(0, 50))
  })

  it('filters by venue, edge, executability and relation, on GET and POST', async () => {
    const { get, post, all } = world()
    const filter = {
      venues: ['kalshi', 'polymarket'],
      minEdge: -100,
      executableOnly: true,
      limit: 1_000,
      compat: false,
    }
    const fits = all.filter(
      ({ executable, netEdge, legs }) =>
        executable && netEdge !== null && [legs.buyYes, legs.buyNo].every(({ venue }) => filter.venues.includes(venue)),
    )
    const named = (await post(path, filter, paying)).json.data as ArbitrageRow[]
    expect(named.map(({ clusterId }) => clusterId).sort()).toEqual(fits.map(({ clusterId }) => clusterId).sort())
    const text = 'venues=kalshi,polymarket&minEdge=-100&executableOnly=true&limit=1000&compat=false'
    expect((await get(`${path}?${text}`, paying)).json.data).toEqual(named)
    const identical = (await get(`${path}?relations=identity&limit=1000&compat=false`, paying)).json
      .data as ArbitrageRow[]
    expect(identical).toHaveLength(all.filter(({ matchBand }) => matchBand === 'verified').length)
    expect((await get(`${path}?relations=subset`, paying)).json.data).toEqual([])
  })

  it('returns the rows with a leg in a market, on a venue, or among the markets of a search', async () => {
    const servedLegs = ({ all }: { all: readonly ArbitrageRow[] }) =>
      all
        .flatMap(({ legs }) => [legs.buyYes, legs.buyNo])
        .filter((leg) => leg.canonicalMarketId !== null && ['kalshi', 'polymarket'].includes(leg.venue))
    const { view, all } = [3, 4, 5, 6, 7, 8, 9, 10, 11]
      .map((seed) => publishedView(seed, true))
      .find((published) => servedLegs(published).length > 0)!
    const { canonicalMarketId: wanted, venue } = servedLegs({ all })[0]!
    // The generated ids have no venue; those of the catalog do.
    const reads = surfaceReads(view)
    const arbitrage: typeof reads = {
      ...reads,
      read: async (contracts, query) => {
        const found = await reads.read(contracts, query)
        const named = (bytes: Buffer) => Buffer.from(bytes.toString().replaceAll(`"${wanted}"`, `"${venue}:snow"`))
        return { ...found, rows: found.rows.map((row) => ({ ...row, bytes: named(row.bytes) })) }
      },
    }
    const market = sampleMarket('snow', { title: 'Will it snow in Oslo?', sourceExchange: venue })
    const { get, catalog } = createWorld({ overrides: { arbitrage } })
    catalog.events.push(sampleEvent('snow', [market], { sourceExchange: venue }))
    const idsOf = async (query: string): Promise<string[]> =>
      ((await get(`${path}?limit=1000&${query}`, paying)).json.data as ArbitrageRow[])
        .map(({ clusterId }) => clusterId)
        .sort()
    const having = (fits: (leg: ArbitrageRow['legs']['buyYes']) => boolean): string[] =>
      all
        .filter(({ legs }) => fits(legs.buyYes) || fits(legs.buyNo))
        .map(({ clusterId }) => clusterId)
        .sort()
    const ofMarket = having(({ canonicalMarketId }) => canonicalMarketId === wanted)
    expect(ofMarket.length).toBeGreaterThan(0)
    expect(ofMarket.length).toBeLessThan(all.length)
    expect(await idsOf(`marketId=${venue}:snow`)).toEqual(ofMarket)
    expect(await idsOf('query=snow')).toEqual(ofMarket)
    expect(await idsOf('query=nothing')).toEqual([])
    expect(await idsOf(`venue=${venue}`)).toEqual(having((leg) => leg.venue === venue))
    expect((await get(`${path}?venue=nowhere`, paying)).json.error.code).toBe('VALIDATION_ERROR')
  })

  it('computes another size on request', async () => {
    const { get } = world()
    const { json } = await get(`${path}?contracts=2.5`, paying)
    expect(json.meta.contracts).toBe(2.5)
    expect((json.data as ArbitrageRow[]).every(({ payout }) => payout === 2.5)).toBe(true)
    for (const wrong of ['0', '-1', '0.001', '100001', 'many'])
      expect((await get(`${path}?contracts=${wrong}`, paying)).json.error.code).toBe('VALIDATION_ERROR')
  })

  it('has the same fields in every row whatever the query, unless those of the older API are switched off', async () => {
    const { get } = world()
    const plain = (await get(`${path}?limit=5&compat=false`, paying)).json.data as ArbitrageRow[]
    const fieldsOf = (row: object): string[] => Object.keys(row).sort()
    const fields = fieldsOf((await get(`${path}?limit=1`, paying)).json.data[0])
    expect(fields).toContain('marketA')
    const queries = ['minSpread=-1', 'relations=identity', 'contracts=10', 'contracts=2.5', 'executableOnly=false']
    for (const query of [...queries, 'venues=kalshi,polymarket', 'minEdge=-100']) {
      const rows = (await get(`${path}?limit=5&${query}`, paying)).json.data as object[]
      expect(rows.length).toBeGreaterThan(0)
      for (const row of rows) expect(fieldsOf(row)).toEqual(fields)
    }
    const compat = (await get(`${path}?limit=5&compat=true`, paying)).json.data as CompatRow[]
    expect(compat.map(({ clusterId }) => clusterId)).toEqual(plain.map(({ clusterId }) => clusterId))
    for (const [i, row] of compat.entries()) {
      const { marketA, marketB, spread, buyVenue, sellVenue, buyPrice, sellPrice, relation, confidence, ...rest } = row
      expect(rest).toEqual(plain[i])
      expect([buyVenue, sellVenue, buyPrice]).toEqual([
        row.legs.buyYes.venue,
        row.legs.buyNo.venue,
        row.legs.buyYes.vwap,
      ])
      expect(relation).toBe(row.matchBand === 'verified' ? 'identity' : null)
      expect(confidence).toBe(row.matchScore === null ? null : row.matchScore / 100)
      expect([marketA, marketB]).toEqual([null, null])
      if (buyPrice !== null && sellPrice !== null) expect(spread).toBeCloseTo(sellPrice - buyPrice, 9)
    }
  })

  it('by category returns every row with a leg in it, best first, with both markets on request', async () => {
    const { get, all, catalog } = world()
    const [known] = catalog.markets
    const isSports = (venue: string, id: string): boolean => (venue.length + id.length) % 2 === 0
    catalog.findMarket = async (venue, id) => ({
      ...known!,
      marketId: id,
      category: isSports(venue, id) ? 'Sports' : 'Politics',
    })
    const fits = all.filter(({ legs }) =>
      [legs.buyYes, legs.buyNo].some(
        ({ venue, canonicalMarketId: id }) => id !== null && isSports(venue, id.slice(venue.length + 1)),
      ),
    )
    expect(fits.length).toBeGreaterThan(100)
    expect(fits.length).toBeLessThan(all.length)
    const found = (await get(`${path}?category=sports&limit=1000&compat=false`, paying)).json.data as ArbitrageRow[]
    expect(found.map(({ clusterId }) => clusterId).sort()).toEqual(fits.map(({ clusterId }) => clusterId).sort())
    const compat = (await get(`${path}?category=sports&limit=7&compat=true`, paying)).json.data as CompatRow[]
    expect(compat.map(({ clusterId }) => clusterId)).toEqual(found.slice(0, 7).map(({ clusterId }) => clusterId))
    for (const { marketA, legs } of compat) expect(marketA === null).toBe(legs.buyYes.canonicalMarketId === null)
  })

  it('rejects a filter on a venue that is not served, and lists those that are', async () => {
    const { get } = world()
    const { status, json } = await get(`${path}?venues=kalshi,nowhere`, paying)
    expect([status, json.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(json.error.message).toMatch(/"nowhere" is not served here; served are .*kalshi/)
    expect((await get(`${path}?venues=KALSHI,polymarket`, paying)).status).toBe(200)
  })

  it('is unavailable when the rows are withheld during the request', async () => {
    const { view } = publishedView(3)
    let shown = true
    const { get } = createWorld({
      overrides: {
        arbitrage: surfaceReads({
          ...view,
          rows: () => (shown ? view.rows() : null),
          run: async (read) => {
            shown = false
            return view.run(read)
          },
          rowsAt: async (contracts, query) => {
            shown = false
            return view.rowsAt(contracts, query)
          },
        }),
      },
    })
    for (const query of ['', '?contracts=2.5']) {
      shown = true
      expect((await get(`${path}${query}`, paying)).json.error).toMatchObject({ code: 'ARBITRAGE_UNAVAILABLE' })
    }
  })

  it('is rejected for a plan without it, while rows are withheld, and when switched off', async () => {
    const { get } = world()
    expect((await get(path)).json.error.code).toBe('PLAN_REQUIRED')
    expect((await get('/api/kalshi/fetchArbitrage', paying)).json.error.code).toBe('NOT_SUPPORTED')
    const withheld = await world(false).get(path, paying)
    expect([withheld.status, withheld.json.error]).toMatchObject([
      503,
      { code: 'ARBITRAGE_UNAVAILABLE', retryable: true },
    ])
    const off = await createWorld().get(path, paying)
    expect([off.status, off.json.error.code]).toEqual([503, 'ARBITRAGE_UNAVAILABLE'])
  })
})
