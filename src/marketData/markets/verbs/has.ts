// What a venue can do, from its manifest and the verbs themselves: a false capability is a 501, a true one never is.
import { z } from 'zod'
import { type VenueCapabilities, venueCapabilities } from '#schemas/venues'
import { reportsTrades } from '#venues/venue'
import { type Capability, defineVerb, type Method } from '../defineVerb.ts'
import type { Exchange } from '../exchange.ts'
import type { VenueReads } from '../ports.ts'
import { emulated } from './shapes.ts'
import { unsupportedMethods } from './unsupported.ts'

export const Flags = z.record(z.string(), z.union([z.boolean(), z.string()]))

/** `verbs` is called late, because the list contains this very verb. */
export const createHas = (verbs: () => readonly Method[]): Method =>
  defineVerb({
    name: 'has',
    summary: 'Capabilities by name: true, false or emulated; volume24h names its mechanism',
    args: [],
    query: z.object({}).meta({ examples: [{}] }),
    data: Flags,
    router: 'pure',
    credits: 0,
    handle: ({ exchange }, markets) => emulated(markets, flagsOf(exchange, verbs())),
  })

export function flagsOf(exchange: Exchange, verbs: readonly Method[]): Record<string, Capability | string> {
  const flags: Record<string, Capability | string> = {}
  for (const verb of verbs) flags[verb.name] = capabilityOf(verb, exchange)
  for (const name of Object.keys(unsupportedMethods)) flags[name] = false
  const venues = exchange.venues
  flags.depth = venues.some((venue) => capabilities[venue.slug]?.depth !== 'no')
  // The data surface has no trading; orders go through /v1/exec.
  flags.trade = false
  flags.prediction = true
  flags.streamOrderBook = venues.length > 0
  flags.streamOrderBookAll = venues.some((venue) => venue.data.stream?.firehose === true)
  flags.streamTrades = venues.some((venue) => reportsTrades(venue, venue.context))
  flags.volume24h = exchange.router ? venues.some((venue) => venue.volume24h !== false) : mechanismOf(venues[0]!)
  return flags
}

const capabilities: Readonly<Record<string, VenueCapabilities | undefined>> = venueCapabilities
const mechanismOf = ({ volume24h }: VenueReads): string | false => (volume24h === false ? false : volume24h.source)

/** The router has a verb as soon as one venue has it. */
export function capabilityOf(verb: Method, exchange: Exchange): Capability {
  if (exchange.router && verb.router === 'no') return false
  if (verb.router === 'only') return exchange.router
  if (verb.router === 'pure') return true
  const flags = exchange.venues.map((venue) => verb.has(venue))
  return flags.find((flag) => flag === true) ?? flags.find((flag) => flag === 'emulated') ?? false
}
