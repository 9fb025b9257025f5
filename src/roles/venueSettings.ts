// Errors in the venues' variables, reported before anything starts.
import { type Config, venueVariable } from '#config'
import { nodeUrls } from '#net/rpc'
import { executionVenues } from '#schemas/venues'
import type { ExecutionAdapter } from '#venues/lane'
import { lanes, manifests } from '#venues/registry'
import type { VenueManifest } from '#venues/venue'
import { budgetVariable } from './budgets.ts'

/** Every variable that belongs to one venue. */
export function venueVariables(): string[] {
  const ofManifests = manifests.flatMap(({ slug, urls, credentialNames, data, exec }) => {
    const node = data.chainTrades === undefined && exec?.chain === undefined ? [] : ['RPC_URL']
    return [...Object.keys(urls).map((name) => `${name}_URL`), ...credentialNames, ...node, budgetVariable].map(
      (name) => venueVariable(slug, name),
    )
  })
  const ofLanes = Object.values<ExecutionAdapter>(lanes).flatMap(({ slug, urls, settings = {} }) =>
    [...Object.keys(urls).map((name) => `${name}_URL`), ...Object.keys(settings)].map((name) =>
      venueVariable(slug, name),
    ),
  )
  const ofExecution = executionVenues.flatMap((venue) =>
    ['LANE', 'BLOCKED_COUNTRIES'].map((name) => venueVariable(venue, name)),
  )
  return [...new Set([...ofManifests, ...ofLanes, ...ofExecution])]
}

/** One line per invalid variable; empty when all are valid. */
export function wrongVenueSettings(setting: Config['venueSetting']): string[] {
  const urls = manifests.flatMap((venue) =>
    Object.entries(venue.urls).flatMap(([name, fallback]) =>
      wrongUrl(venue.slug, `${name}_URL`, fallback, setting(venue.slug, `${name}_URL`)),
    ),
  )
  const nodes = manifests.flatMap(({ slug, data, exec }) =>
    data.chainTrades === undefined && exec?.chain === undefined ? [] : wrongNodes(slug, setting(slug, 'RPC_URL')),
  )
  const ofLanes = Object.values<ExecutionAdapter>(lanes).flatMap((lane) => invalidVenueSettings(lane, setting))
  const budgets = manifests.flatMap(({ slug }) => wrongBudget(slug, setting(slug, budgetVariable)))
  return [
    ...urls,
    ...nodes,
    ...ofLanes,
    ...budgets,
    ...manifests.flatMap((manifest) => halfCredentials(manifest, setting)),
  ]
}

function wrongUrl(venue: string, name: string, fallback: string, given: string | undefined): string[] {
  if (given === undefined) return []
  const protocols = /^wss?:/.test(fallback) ? ['wss:', 'ws:'] : ['https:', 'http:']
  if (protocols.includes(URL.parse(given)?.protocol ?? '')) return []
  return [`${venueVariable(venue, name)}: must be an address that begins with ${protocols.join('// or ')}//`]
}

/** A comma-separated list, best first. */
function wrongNodes(venue: string, given: string | undefined): string[] {
  if (given === undefined) return []
  const urls = nodeUrls(given)
  const isWrong = urls.length === 0 || urls.some((url) => wrongUrl(venue, 'RPC_URL', 'https:', url).length > 0)
  if (!isWrong) return []
  return [
    `${venueVariable(venue, 'RPC_URL')}: must be addresses that begin with https:// or http://, with commas between`,
  ]
}

/** Partial settings of a lane are a mistake worth stopping for, and so is a lane switched on without them. */
export function invalidVenueSettings(
  { slug, settings = {} }: Pick<ExecutionAdapter, 'slug' | 'settings'>,
  setting: Config['venueSetting'],
): string[] {
  const isOn = ['true', '1', 'settlement'].includes(setting(slug, 'LANE') ?? '')
  const isWanted = isOn || Object.keys(settings).some((name) => setting(slug, name) !== undefined)
  return Object.entries(settings).flatMap(([name, { shape, needed }]) => {
    const variable = venueVariable(slug, name)
    const given = setting(slug, name)
    if (given === undefined) return needed === true && isWanted ? [`${variable}: required for orders at ${slug}`] : []
    const parsed = shape.safeParse(given)
    return parsed.success ? [] : [`${variable}: ${parsed.error.issues[0]!.message}`]
  })
}

function wrongBudget(venue: string, given: string | undefined): string[] {
  if (given === undefined || (/^[1-9]\d{0,3}$/.test(given) && Number(given) <= percentMax)) return []
  return [`${venueVariable(venue, budgetVariable)}: must be whole percents from 1 to ${percentMax}`]
}
/** More than a whole is for venues on one's own machine. */
const percentMax = 1_000

/** All of the names or none: a partial credential is a mistake worth stopping for. */
function halfCredentials({ slug, credentialNames }: VenueManifest, setting: Config['venueSetting']): string[] {
  const missing = credentialNames.filter((name) => setting(slug, name) === undefined)
  if (missing.length === credentialNames.length) return []
  return missing.map((name) => `${venueVariable(slug, name)}: required with the other credentials of ${slug}`)
}
