// Events of other venues that share questions with an event, each with the matching markets.
import { z } from 'zod'
import type { ScoredPair } from '#matching/matches'
import type { Event, Market } from '#schemas/market'
import { matchRelations } from '#schemas/matches'
import { findSourceEvents, venuesOf } from '../crossVenue/lookup.ts'
import { isCatchAll, keyOf, MatchRow, matchAnswer, matchRow, refOf } from '../crossVenue/matchRows.ts'
import { eventLookup, matchesLimitMax, matchFilters, relationsOf } from '../crossVenue/query.ts'
import { matchesOf } from '../crossVenue/requireMatches.ts'
import { defineVerb } from '../defineVerb.ts'
import { Limit } from '../fields.ts'
import type { Markets } from '../markets.ts'
import { presentEvent } from '../qualifiedIds.ts'
import { EventRow } from './shapes.ts'

/** An event carries all its markets. */
const eventsMax = 50
/** Concurrent catalog reads per call. */
const concurrency = 8

export const fetchEventMatches = defineVerb({
  name: 'fetchEventMatches',
  summary: `Events on other venues that share questions with one; without an event the best pairs; at most ${eventsMax} rows`,
  args: [{ name: 'params', kind: 'object' }],
  query: z
    .object({ ...eventLookup, ...matchFilters, limit: Limit.max(1_000_000).default(20) })
    .meta({ examples: [{ minConfidence: 0.9, limit: 10 }] }),
  data: z.array(
    z.object({
      event: EventRow,
      /** When no single event was requested. */
      sourceEvent: EventRow.optional(),
      marketMatches: z.array(MatchRow),
    }),
  ),
  router: 'only',
  heavy: true,
  credits: 5,
  errors: ['MATCHES_UNAVAILABLE', 'EVENT_NOT_FOUND', 'CATALOG_UNAVAILABLE'],
  async handle({ query, exchange }, markets) {
    const limit = Math.min(query.limit, eventsMax)
    const matches = matchesOf(markets)
    await matches.state()
    const sources = await findSourceEvents(markets, exchange, query)
    const members = sources?.flatMap((event) => event.markets)
    const found = await matches.find({
      relations: relationsOf(query, matchRelations),
      minConfidence: query.minConfidence,
      venues: venuesOf(exchange),
      ...(members === undefined ? {} : { of: members.map(refOf) }),
      ...(query.query === undefined ? {} : { query: query.query }),
      ...(query.category === undefined ? {} : { category: query.category }),
      sort: 'confidence',
      limit: matchesLimitMax,
    })
    const keys = members === undefined ? null : new Set(members.map(keyOf))
    const groups = groupsOf(found, keys).slice(0, limit)
    const withSource = sources?.length !== 1
    const events = await readEvents(markets, groups, withSource)
    const rows = groups.flatMap(({ source, other, pairs }) => {
      const event = events.get(other)
      if (event === undefined) return []
      const sourceEvent = withSource ? events.get(source) : undefined
      return {
        event: presentEvent(exchange, event),
        ...(sourceEvent === undefined ? {} : { sourceEvent: presentEvent(exchange, sourceEvent) }),
        marketMatches: pairs.map((pair) =>
          matchRow(markets, exchange, pair, keys, { includePrices: query.includePrices, withSource: true }),
        ),
      }
    })
    return matchAnswer(markets, rows, limit)
  },
})

interface Group {
  /** `<venue>:<eventId>`. */
  source: string
  other: string
  pairs: ScoredPair[]
}

/** Best pair first, and so the groups. */
function groupsOf(found: readonly ScoredPair[], sources: ReadonlySet<string> | null): Group[] {
  const groups = new Map<string, Group>()
  for (const pair of found) {
    const [market, from] = isCatchAll(pair, sources) ? [pair.a, pair.b] : [pair.b, pair.a]
    const [source, other] = [eventKeyOf(from), eventKeyOf(market)]
    if (source === null || other === null) continue
    const name = JSON.stringify([source, other])
    const group = groups.get(name) ?? { source, other, pairs: [] }
    group.pairs.push(pair)
    groups.set(name, group)
  }
  return [...groups.values()]
}

const eventKeyOf = ({ sourceExchange, eventId }: Market): string | null =>
  eventId === null ? null : `${sourceExchange}:${eventId}`

async function readEvents(
  { catalog }: Markets,
  groups: readonly Group[],
  withSource: boolean,
): Promise<Map<string, Event>> {
  const waiting = [...new Set(groups.flatMap(({ source, other }) => (withSource ? [source, other] : [other])))]
  const events = new Map<string, Event>()
  const worker = async (): Promise<void> => {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      const colon = key.indexOf(':')
      const filter = { venues: [key.slice(0, colon)], status: 'all' as const, eventId: key.slice(colon + 1) }
      const [event] = (await catalog.findEvents({ filter, sort: 'volume', limit: 1 })).rows
      if (event !== undefined) events.set(key, event)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, waiting.length) }, worker))
  return events
}
