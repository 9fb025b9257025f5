// Relations within events, kept between runs: only events with a changed market are recomputed.
import type { EventRelationRow } from '#storage/postgres/matching/index'
import type { Listing, MatchInput } from '../read/input.ts'
import type { Question } from '../read/question.ts'
import { eventMarketsMax, eventRelations } from './eventRelations.ts'
import type { ListedEvent } from './mutualExclusion.ts'

interface Listed {
  /** The venue states that at most one of those comes true. */
  exclusive: boolean
  listing: Listing | null
}

interface Event {
  venue: string
  eventId: string
  /** By key. */
  markets: Map<string, Listed>
  /** Null: must be recomputed. */
  rows: EventRelationRow[] | null
  listed: ListedEvent | null
}

export class StrikeLadders {
  private readonly events = new Map<string, Event>()
  private readonly eventOf = new Map<string, Event>()

  put(key: string, { venue, eventId, exclusive, listing }: MatchInput): void {
    this.drop(key)
    if (eventId === null || eventId === undefined) return
    const name = `${venue}:${eventId}`
    const event = this.events.get(name) ?? { venue, eventId, markets: new Map(), rows: null, listed: null }
    event.markets.set(key, { exclusive: exclusive === true, listing: listing ?? null })
    event.rows = null
    event.listed = null
    this.events.set(name, event)
    this.eventOf.set(key, event)
  }

  drop(key: string): void {
    const event = this.eventOf.get(key)
    if (event === undefined) return
    event.markets.delete(key)
    event.rows = null
    event.listed = null
    this.eventOf.delete(key)
    if (event.markets.size === 0) this.events.delete(`${event.venue}:${event.eventId}`)
  }

  /** The event of a market; null for one without, and for one that is too large. */
  listedOf(key: string): ListedEvent | null {
    const event = this.eventOf.get(key)
    if (event === undefined || event.markets.size > eventMarketsMax) return null
    event.listed ??= {
      keys: [...event.markets.keys()].sort(),
      exclusive: new Set([...event.markets].flatMap(([each, { exclusive }]) => (exclusive ? [each] : []))),
    }
    return event.listed
  }

  /** Sorted by id. `read` returns a market as the matcher reads it. */
  rows(read: (key: string) => Question): EventRelationRow[] {
    const rows: EventRelationRow[] = []
    for (const event of this.events.values()) {
      event.rows ??= rowsOf(event, read)
      for (const row of event.rows) rows.push(row)
    }
    return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
  }
}

const unknown: Listing = { open: null, grows: null }

function rowsOf({ venue, eventId, markets }: Event, read: (key: string) => Question): EventRelationRow[] {
  // Unrelated markets are not read: most events have one market.
  if (markets.size < 2 || markets.size > eventMarketsMax) return []
  const relations = eventRelations({
    venue,
    eventId,
    markets: [...markets.keys()].map(read),
    exclusive: [...markets].flatMap(([key, { exclusive }]) => (exclusive ? [key] : [])),
    listing: [...markets.values()].find(({ listing }) => listing !== null)?.listing ?? unknown,
  })
  return relations.map((relation) => ({ id: relation.id, venue, event_id: eventId, relation }))
}
