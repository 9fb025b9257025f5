// Novig's public REST catalog as its API v3 documents it: the open set of events and markets, and books by market. No key.
// https://docs.novig.com/api-reference (Public)
import type { EngineMarket } from '../engine/market.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import type { NovigEvent, NovigListing, NovigMarket } from './marketGenerator.ts'
import { marketWords, orderId, outcomeNames, outcomeWord, restingOrders } from './rows.ts'

const usualRows = 500
const rowsMax = 5_000

const refused = (status: number, code: string, message: string): LabReply => ({ status, body: { code, message } })
const malformed = refused(400, 'INVALID_REQUEST', 'the request is malformed')
const noEvent = refused(404, 'EVENT_NOT_FOUND', 'event not found')
const noMarket = refused(404, 'MARKET_NOT_FOUND', 'market not found')

/** Of a game; a future's is 0.06, charged always. */
const gameFee = { coefficient: '0.03', makerCredit: '0.5', charged: 'WHEN_LIVE' }

const startsTs = ({ catalog }: NovigEvent): number => catalog.startMs ?? catalog.endMs
const leagueOf = ({ catalog }: NovigEvent): string => catalog.category.toUpperCase()

export function catalogRoutes({ engine, isKnown, shown }: VenueCore, listing: NovigListing): LabRoute[] {
  const isOpen = ({ markets }: NovigEvent) => markets.some(({ key }) => engine.statusOf(key) === 'open')
  const events = new Map(listing.events.map((event) => [event.id, event]))
  const markets = new Map(listing.markets.map((market) => [market.id, market]))
  const live = ({ key }: NovigMarket): EngineMarket => engine.glance(key)!

  const eventRow = (event: NovigEvent) => ({
    eventId: event.id,
    sport: 'FOOTBALL',
    league: leagueOf(event),
    // What has ended is not in the open set.
    status: 'OPEN_PREGAME',
    description: event.catalog.title,
    startsTs: startsTs(event),
  })

  function marketRow(market: NovigMarket) {
    const now = live(market)
    const names = outcomeNames(market)
    const outcomes = market.outcomes.map((outcomeId, n) => ({
      outcomeId,
      name: names[n]!,
      status: outcomeWord(now, n),
    }))
    return {
      marketId: market.id,
      eventId: market.event.id,
      marketType: 'MONEY',
      status: marketWords[now.status],
      voids: 'FMV',
      description: market.catalog.question,
      startsTs: startsTs(market.event),
      fee: gameFee,
      // In no fixed order, as at the venue.
      outcomes: market.id < market.event.id ? outcomes : outcomes.reverse(),
    }
  }

  /** A market that the catalog has. */
  const listed = (id: string): NovigMarket | null => {
    const market = markets.get(id)
    return market !== undefined && isKnown(market.key) && isOpen(market.event) ? market : null
  }

  /** The cursor is the number of rows before the page. */
  function page<T>(rows: readonly T[], { query }: LabRequest, toRow: (row: T) => object): LabReply {
    const limit = Number(query.get('limit') ?? usualRows)
    const from = Number(Buffer.from(query.get('after') ?? '', 'base64url').toString() || 0)
    if (!Number.isInteger(limit) || limit < 1 || limit > rowsMax || !Number.isInteger(from)) return malformed
    const end = from + limit
    const next = end < rows.length ? { next: Buffer.from(String(end)).toString('base64url') } : {}
    return ok({ items: rows.slice(from, end).map(toRow), ...next })
  }

  /** `?name=a,b`: absent lets everything through. */
  const allows = ({ query }: LabRequest, name: string, value: string): boolean =>
    query.get(name)?.split(',').includes(value) ?? true

  const root = '/v3/public/catalog'
  return [
    {
      method: 'GET',
      path: `${root}/events`,
      handle: (request) =>
        page(
          listing.events.filter((event) => isOpen(event) && allows(request, 'league', leagueOf(event))),
          request,
          eventRow,
        ),
    },
    {
      method: 'GET',
      path: `${root}/events/:id`,
      handle({ params }) {
        const event = events.get(params.id!)
        return event === undefined || !isOpen(event) ? noEvent : ok(eventRow(event))
      },
    },
    {
      method: 'GET',
      path: `${root}/markets`,
      handle: (request) =>
        page(
          listing.markets.filter(
            ({ id, event }) =>
              listed(id) !== null && allows(request, 'event', event.id) && allows(request, 'league', leagueOf(event)),
          ),
          request,
          marketRow,
        ),
    },
    {
      method: 'GET',
      path: `${root}/markets/:id`,
      handle({ params }) {
        const market = listed(params.id!)
        return market === null ? noMarket : ok(marketRow(market))
      },
    },
    {
      method: 'GET',
      path: `${root}/markets/:id/book`,
      handle({ params }) {
        const market = listed(params.id!)
        if (market === null) return noMarket
        const truth = shown(market.key)
        const orders = market.outcomes.map((id, index) => [
          id,
          restingOrders(index, truth).map((resting) => ({
            orderId: orderId(market, index, 'CASH', resting),
            price: String(resting.micros / 1_000_000),
            qty: resting.qty,
          })),
        ])
        return ok({ marketId: market.id, seq: truth.eventTs, orders: Object.fromEntries(orders) })
      },
    },
  ]
}
