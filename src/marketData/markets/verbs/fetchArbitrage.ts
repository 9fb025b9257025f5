// The arbitrage surface as a read: the same rows as on the stream, best edge first. With the older API family's field names for clients that use
// its parameters.
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { ArbitrageQuery } from '#arbitrage/fetchArbitrage'
import { Fault } from '#core/fault'
import { jsonArray } from '#core/jsonArray'
import { ArbitrageReadRow, type ArbitrageRow as Row } from '#schemas/arbitrage'
import type { Market } from '#schemas/market'
import { canonicalVenue } from '#schemas/venues'
import { VenueName } from '#server/http/venueName'
import { defineVerb } from '../defineVerb.ts'
import type { Exchange } from '../exchange.ts'
import { Id, Limit, Text, toIso } from '../fields.ts'
import type { Markets } from '../markets.ts'
import { presentMarket, qualify } from '../qualifiedIds.ts'

export const arbitrageLimitDefault = 50
export const arbitrageLimitMax = 1_000
/** A filter on catalog data examines this many rows, best first. */
const scannedRowsMax = 5_000
/** Markets that a search may find: the most traded. */
const searchedMarketsMax = 500
/** Rows parsed and written before yielding to other work. */
const rowsPerTurn = 100

const List = z
  .union([z.string().max(1_024), z.array(z.string().max(64)).max(32)])
  .transform((given) =>
    (typeof given === 'string' ? given.split(',') : given).map((word) => word.trim()).filter(Boolean),
  )

const Query = z
  .object({
    /** Contracts on each side; defaults to the published size. */
    contracts: z.number().optional(),
    limit: Limit.max(1_000_000).default(arbitrageLimitDefault),
    executableOnly: z.boolean().optional(),
    venues: List.transform((given) => given.map(canonicalVenue)).optional(),
    /** Dollars for the requested contracts, after fees. */
    minEdge: z.number().optional(),
    /** Price difference before fees, as the older family filters. */
    minSpread: z.number().optional(),
    category: Text.optional(),
    /** A leg is one of the active markets that a search by title finds for these words. */
    query: Text.optional(),
    /** A leg is this market, written <venue>:<id>. */
    marketId: Id.optional(),
    /** A leg is on this venue; the other may be anywhere. */
    venue: VenueName.optional(),
    /** Rows of these relations only; `identity` is the verified band. */
    relations: List.optional(),
    /**
     * False: rows without marketA, marketB, spread, buyVenue, sellVenue, buyPrice, sellPrice, relation and confidence, the fields of the
     * older API family.
     */
    compat: z.boolean().default(true),
  })
  .meta({ examples: [{ contracts: 100, executableOnly: true, limit: 10 }] })

export const fetchArbitrage = defineVerb({
  name: 'fetchArbitrage',
  summary: `Cross-venue pairs of the same question, priced with fees at the requested size; at most ${arbitrageLimitMax} rows`,
  args: [{ name: 'params', kind: 'object' }],
  query: Query,
  data: z.array(ArbitrageReadRow),
  router: 'only',
  heavy: true,
  feature: 'arbitrage',
  credits: 5,
  rowsPerCredit: 100,
  errors: ['ARBITRAGE_UNAVAILABLE', 'CATALOG_UNAVAILABLE'],
  async handle({ query, exchange }, markets) {
    const { arbitrage } = markets
    if (arbitrage === undefined) throw new Fault('ARBITRAGE_UNAVAILABLE', 'the arbitrage surface is switched off here')
    const { contracts, category, query: words, marketId, venue, compat, ...filters } = query
    if (contracts !== undefined && !arbitrage.validContracts(contracts))
      throw new Fault('VALIDATION_ERROR', 'contracts: must be above 0, at most 100000, in steps of 0.01')
    const strange = arbitrage.unknownVenue(
      venue === undefined ? query.venues : [...(query.venues ?? []), venue],
      exchange.venues.map(({ slug }) => slug),
    )
    if (strange !== null) throw new Fault('VALIDATION_ERROR', strange)
    const limit = Math.min(query.limit, arbitrageLimitMax)
    const filtersLegs = words !== undefined || marketId !== undefined || venue !== undefined
    const surfaceQuery: ArbitrageQuery = {
      ...filters,
      limit: category === undefined && !filtersLegs ? limit : scannedRowsMax,
    }
    const searched = words === undefined ? null : await findSearched(markets, exchange, words)
    const hasLeg = (row: Row): boolean =>
      [
        (leg: Leg) => marketId === undefined || leg.canonicalMarketId === marketId,
        (leg: Leg) => venue === undefined || leg.venue === venue,
        (leg: Leg) => searched === null || (leg.canonicalMarketId !== null && searched.has(leg.canonicalMarketId)),
      ].every((matchesLeg) => legsOf(row).some(matchesLeg))
    const { rows, computedAt, venuesLeftOut } = await arbitrage.read(contracts, surfaceQuery)
    const answer = (pieces: readonly Buffer[]) => ({
      encoded: jsonArray(pieces),
      rows: pieces.length,
      siblings: {
        asOf: toIso(computedAt),
        provenance: { source: 'computed' },
        meta: { contracts: contracts ?? arbitrage.contracts, limit, venuesLeftOut },
      },
    })
    if (category === undefined && !filtersLegs && !compat) return answer(rows.map(({ bytes }) => bytes))
    const chosen: Buffer[] = []
    const known = new Map<string, Market | null>()
    const marketOf = (_: string, id: string | null): unknown => presented(exchange, id === null ? null : known.get(id))
    for (let from = 0; from < rows.length && chosen.length < limit; from += rowsPerTurn) {
      const some = rows.slice(from, from + rowsPerTurn).map(({ bytes }) => JSON.parse(bytes.toString()) as Row)
      if (category !== undefined || compat) await readMarkets(markets, some, known)
      some.forEach((row, i) => {
        if (!hasLeg(row) || (category !== undefined && !inCategory(row, category, known))) return
        chosen.push(compat ? Buffer.from(JSON.stringify(arbitrage.compat(row, marketOf))) : rows[from + i]!.bytes)
      })
      // Cached data is read without a pause.
      await setImmediate()
    }
    return answer(chosen.slice(0, limit))
  },
})

/** Qualified ids of the most traded markets that a search finds. */
async function findSearched({ catalog }: Markets, exchange: Exchange, query: string): Promise<ReadonlySet<string>> {
  const { rows } = await catalog.findMarkets({
    filter: { venues: exchange.venues.map(({ slug }) => slug), status: 'active', query, searchIn: 'title' },
    sort: 'volume',
    limit: searchedMarketsMax,
  })
  return new Set(rows.map(({ sourceExchange, marketId }) => qualify(sourceExchange, marketId)))
}

type Leg = Row['legs']['buyYes']
const legsOf = ({ legs }: Row) => [legs.buyYes, legs.buyNo]

/** One statement for the rows of one turn. */
async function readMarkets({ catalog }: Markets, rows: readonly Row[], known: Map<string, Market | null>) {
  const wanted = new Map<string, { venue: string; marketId: string }>()
  for (const { venue, canonicalMarketId: id } of rows.flatMap(legsOf))
    if (id !== null && !known.has(id)) wanted.set(id, { venue, marketId: id.slice(venue.length + 1) })
  if (wanted.size === 0) return
  const found = await catalog.findMarketsByIds([...wanted.values()])
  for (const [id, { venue, marketId }] of wanted) known.set(id, found.get(`${venue}:${marketId}`) ?? null)
}

const inCategory = (row: Row, category: string, known: ReadonlyMap<string, Market | null>): boolean =>
  legsOf(row).some(({ canonicalMarketId: id }) => {
    const of = id === null ? undefined : known.get(id)?.category
    return of?.toLowerCase() === category.toLowerCase()
  })

const presented = (exchange: Exchange, market: Market | null | undefined): unknown =>
  market === null || market === undefined ? null : presentMarket(exchange, market)
