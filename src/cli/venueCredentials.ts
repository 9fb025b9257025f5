// What a strategy's runner knows of each venue: the fields of its requests, of which submits and refreshes take different ones.
import type { Client } from '#sdk/typescript/src/index'

export interface VenueCredentials {
  /** Null: the venue has no order entry here. */
  of(venue: string): Promise<{ submit: Record<string, string>; refresh: Record<string, string> | null } | null>
}

/** `credentials`: by venue, fields of its requests. */
export function createVenueCredentials(
  client: Client,
  credentials: Readonly<Record<string, Readonly<Record<string, string>>>>,
): VenueCredentials {
  type Lane = Awaited<ReturnType<Client['api']['listExecVenues']>>['data'][number]
  let lanes: Promise<ReadonlyMap<string, Lane>> | null = null

  async function read(): Promise<ReadonlyMap<string, Lane>> {
    const { data } = await client.api.listExecVenues()
    return new Map(data.map((lane) => [lane.venue, lane]))
  }

  function readOnce(): Promise<ReadonlyMap<string, Lane>> {
    lanes ??= read().catch((error: unknown) => {
      lanes = null
      throw error
    })
    return lanes
  }

  return {
    async of(venue) {
      const lane = (await readOnce()).get(venue)
      if (lane === undefined) return null
      const held = Object.entries(credentials[venue] ?? {})
      const pick = (names: readonly string[]) => Object.fromEntries(held.filter(([name]) => names.includes(name)))
      const { submit, refresh } = lane.credentials
      return { submit: pick(submit), refresh: lane.verbs.refresh ? pick(refresh) : null }
    },
  }
}
