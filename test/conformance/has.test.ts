// `/api/<venue>/has` of every built venue agrees with its row in the specification's table of capabilities; and the copy of that table in
// schemas/venues.ts equals the table, row by row.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { silentLog } from '#core/log'
import type { VenueReads } from '#marketData/markets/index'
import { type BuiltVenue, builtVenues, servedVenues, type VenueCapabilities, venueCapabilities } from '#schemas/venues'
import { createWorld } from '#test/src/server/http/world'
import { manifests, registry } from '#venues/registry'
import { traderAbilities } from '#venues/traderData'
import type { VenueManifest } from '#venues/venue'

const spec = fileURLToPath(new URL('../../../shared/spec.md', import.meta.url))
const absent = 'needs ../shared/spec.md, which is not next to this checkout'

type DeclaredCapabilities = Pick<VenueCapabilities, 'depth' | 'tradesTape' | 'volume24h' | 'stalenessMs'> & {
  /** The table counts peers' offers as a real book. */
  books: readonly VenueCapabilities['book'][]
}

const real = { books: ['clob', 'offers'] } as const
/** Every wording used in the table; add a new wording here once it is understood. */
const bookWords: Readonly<Record<string, Pick<DeclaredCapabilities, 'books' | 'stalenessMs'>>> = {
  'real CLOB': real,
  'real CLOB (CLOB markets only)': real,
  'real CTF/CLOB': real,
  'real CLOB, bids-only complement': real,
  'real CLOB, delayed quotes': real,
  'real CLOB, ~30 s cached': { ...real, stalenessMs: 30_000 },
  'native CLOB or synthetic AMM top-of-book': { books: ['clob_or_amm'] },
  'emulated, 1 level': { books: ['emulated'] },
}
const depthWords: Readonly<Record<string, DeclaredCapabilities['depth']>> = {
  yes: 'yes',
  no: 'no',
  'per-market': 'per-market',
  'yes, degraded': 'degraded',
}
const tapeWords: Readonly<Record<string, boolean>> = { yes: true, no: false, 'yes, at most 5 fills': true }

function table(): [venue: string, told: DeclaredCapabilities][] {
  const text = readFileSync(spec, 'utf8')
  const rows = text.slice(text.indexOf('| venue | order book | depth |')).split('\n\n')[0]!.split('\n').slice(2)
  return rows.map((line) => {
    const [venue, book, depth, tape, volume] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()) as [string, string, string, string, string]
    const facts = [bookWords[book], depthWords[depth], tapeWords[tape]]
    expect(facts, line).not.toContain(undefined)
    const [, source, unit] = /^(\w+) \((\w+)\)$/.exec(volume) ?? []
    const volume24h = volume === 'false' ? false : ({ source, unit } as DeclaredCapabilities['volume24h'])
    return [venue, { ...bookWords[book]!, depth: depthWords[depth]!, tradesTape: tapeWords[tape]!, volume24h }]
  })
}

describe.skipIf(!existsSync(spec))(existsSync(spec) ? 'the table' : absent, () => {
  it('is copied row by row, in its order', () => {
    const rows = table()
    expect(rows.map(([venue]) => venue)).toEqual([...servedVenues, 'smarkets (dark)'])
    for (const [name, { books, ...declared }] of rows) {
      const { book, ...copied } = venueCapabilities[name.replace(' (dark)', '') as 'smarkets']
      expect([name, copied]).toEqual([name, declared])
      expect(books, name).toContain(book)
    }
  })
})

const world = createWorld()
const overrides = {
  venues: new Map(
    manifests.map((manifest): [string, VenueReads] => {
      const { slug, data, volume24h } = manifest
      const { context } = world.venues.get('kalshi')!.reads
      return [slug, { slug, manifest, data, volume24h, context: { ...context, venue: slug, log: silentLog } }]
    }),
  ),
}
const enabledWorld = createWorld({ families: { traders: true, openOrders: true }, overrides })
const disabledWorld = createWorld({ families: {}, overrides })

it.each(builtVenues)('/api/%s/has agrees with its row', async (venue: BuiltVenue) => {
  const { book, depth, tradesTape, volume24h } = venueCapabilities[venue]
  const { json } = await enabledWorld.get(`/api/${venue}/has`)
  const bookSupport = book === 'emulated' ? 'emulated' : true
  expect(json.data).toMatchObject({
    fetchOrderBook: bookSupport,
    fetchOrderBooks: bookSupport,
    depth: depth !== 'no',
    fetchTrades: tradesTape,
    volume24h: volume24h === false ? false : volume24h.source,
    // Rule 4 below the table.
    trade: false,
  })
  expect(registry[venue].volume24h).toEqual(volume24h)
})

describe('/v1/venues', () => {
  it('lists every served venue in the order of the specification, with the facts of its manifest and the table; omits sandboxes and disabled venues', async () => {
    const { status, json } = await enabledWorld.get('/v1/venues')
    expect([status, json.provenance]).toEqual([200, { source: 'computed' }])
    expect(json.data.map(({ venue }: { venue: string }) => venue)).toEqual(servedVenues)
    for (const row of json.data as { venue: BuiltVenue }[]) {
      const { book, depth, volume24h, stalenessMs = null } = venueCapabilities[row.venue]
      const { title, exec, deposit, traders } = registry[row.venue] as VenueManifest
      const { afterwards: _, ...brought } = deposit ?? {}
      expect(row).toEqual({
        ...{ venue: row.venue, title, book, depth, volume24h, stalenessMs },
        execution: exec !== undefined,
        deposit: deposit === undefined ? null : brought,
        traders: traders === undefined ? null : traderAbilities(traders),
        // Rain's open orders are read on chain, and this deployment has no node.
        openOrders: ['hyperliquid', 'myriad', 'pascal'].includes(row.venue),
        // Rain needs a node for these, too.
        optionPrices: ['limitless', 'myriad'].includes(row.venue),
        // This deployment has no node that reports pending trades.
        pendingTrades: false,
        capabilities: (await enabledWorld.get(`/api/${row.venue}/has`)).json.data,
      })
    }
  })

  it('reports no capabilities of disabled families', async () => {
    const { json } = await disabledWorld.get('/v1/venues')
    expect(json.data).toHaveLength(servedVenues.length)
    for (const { traders, openOrders } of json.data) expect([traders, openOrders]).toEqual([null, false])
  })

  it('lists only enabled venues', async () => {
    const { json } = await world.get('/v1/venues')
    expect(json.data.map(({ venue }: { venue: string }) => venue)).toEqual(['polymarket', 'kalshi'])
  })
})
