// The novig lab: the public catalog and the older GraphQL behind one address, read only and without a key, and order entry under tokens. No sockets:
// the venue's own require an account.
import { buildCatalog } from '../catalog/catalog.ts'
import type { CounterSnapshot } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { MarketTruth } from '../engine/market.ts'
import type { Faults } from '../faults.ts'
import { startRestVenue, type VenueCore } from '../restVenue.ts'
import type { LabVenueOptions } from '../venueOptions.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import { NovigAuth, type NovigClient } from './auth.ts'
import { catalogRoutes } from './catalog.ts'
import { parseQuery, QueryError, type Value } from './graphql.ts'
import { listNovig, type NovigListing } from './marketGenerator.ts'
import { orderRoutes } from './orders.ts'
import { eventRow, marketRow, type Shown } from './rows.ts'
import { query } from './tables.ts'

export interface NovigLab {
  urls: { GQL: string; REST: string }
  /** Of an account that trades. */
  credentials: { clientId: string; clientSecret: string }
  /** Other credentials for another account. */
  issueClient(): NovigClient
  faults: Faults
  engine: Engine
  listing: NovigListing
  /** The outcome's true book on its own scale, best first, prices in micros. Null for unknown outcomes. */
  book(outcomeId: string): MarketTruth | null
  counters(): CounterSnapshot
  stop(): Promise<void>
}

export async function startNovigLab(options: LabVenueOptions): Promise<NovigLab> {
  const { clock, seed, markets } = options
  const listing = listNovig(buildCatalog('novig', { seed, nowMs: clock.now(), markets, namedSides: true }))
  const auth = new NovigAuth(seed, () => clock.now())
  const { clientId, clientSecret } = auth.issue()
  const venue = await startRestVenue(options, {
    name: 'novig',
    markets: listing.markets,
    engineId: (outcomeId) => listing.byOutcome.get(outcomeId)?.key ?? null,
    routes: (core) => [
      ...catalogRoutes(core, listing),
      graphqlRoute(core, listing),
      ...orderRoutes(core, listing, auth),
    ],
    // In the form of both older interfaces: one host serves all of them here, and the catalog's readers look at the status alone.
    refusalBody: (status) => ({
      ...refusal(status === 429 ? 'rate-limit-exceeded' : 'unexpected', 'try again later'),
      statusCode: status,
      message: status === 429 ? 'ThrottlerException: Too Many Requests' : 'Internal server error',
    }),
    notFound: () => ({ status: 404, body: refusal('not-found', 'resource does not exist') }),
  })
  return {
    urls: { GQL: venue.base, REST: venue.base },
    credentials: { clientId, clientSecret },
    issueClient: () => auth.issue(),
    faults: venue.faults,
    engine: venue.engine,
    listing,
    book(outcomeId) {
      const market = listing.byOutcome.get(outcomeId)
      if (market === undefined) return null
      const truth = venue.truth(market.key)
      return market.outcomes[0] === outcomeId ? truth : otherSide(truth)
    },
    counters: venue.counters,
    stop: venue.stop,
  }
}

function otherSide({ bids, asks, eventTs }: MarketTruth): MarketTruth {
  const mirror = (levels: MarketTruth['bids']): MarketTruth['bids'] =>
    levels.map(([micros, size]) => [1_000_000 - micros, size])
  return { bids: mirror(asks), asks: mirror(bids), eventTs }
}

const refusal = (code: string, message: string) => ({ errors: [{ message, extensions: { path: '$', code } }] })

function graphqlRoute({ engine, isKnown, shown }: VenueCore, listing: NovigListing): LabRoute {
  const now: Shown = {
    isKnown,
    statusOf: (key) => engine.statusOf(key),
    live: ({ key }) => engine.glance(key)!,
    book: ({ key }) => shown(key),
  }
  const events = listing.events.map((event) => eventRow(event, now))
  const tables = {
    event: () => events,
    /** Looked up by outcome when possible, like a database index. */
    market(where: unknown) {
      const { _in: ids } = ((where ?? {}) as { outcomes?: { id?: { _in?: string[] } } }).outcomes?.id ?? {}
      const named = Array.isArray(ids) ? new Set(ids.flatMap((id) => listing.byOutcome.get(id) ?? [])) : listing.markets
      return [...named].filter(({ key }) => isKnown(key)).map((market) => marketRow(market, now))
    },
  }
  return {
    method: 'POST',
    path: '/v1/graphql',
    handle({ body }: LabRequest): LabReply {
      const payload = (body ?? {}) as { query?: unknown; variables?: Record<string, Value> | null }
      try {
        const fields = parseQuery(String(payload.query ?? ''), payload.variables ?? {})
        return ok({
          data: Object.fromEntries(
            fields.map((field) => {
              if (!Object.hasOwn(tables, field.name)) {
                throw new QueryError('validation-failed', `field '${field.name}' not found in type: 'query_root'`)
              }
              return [
                field.name,
                query(field.name, tables[field.name as keyof typeof tables](field.arguments.where), field),
              ]
            }),
          ),
        })
      } catch (error) {
        if (error instanceof QueryError) return ok(refusal(error.code, error.message))
        throw error
      }
    },
  }
}
