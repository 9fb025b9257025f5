// The lab of the demo: its venues, the features enabled with them, and the variables that point a process at them.
import { venueVariable } from '#config'
import { type Clock, systemClock } from '#core/clock'
import type { Runtime } from '#roles/runtimeFile'
import { builtVenues } from '#schemas/venues'
import { registry } from '#venues/registry'
import type { VenueManifest } from '#venues/venue'
import { type Lab, startLab } from './lab.ts'
import { demoRate, type LabVenue, type LabVenueName } from './venues.ts'

const manifests: Readonly<Partial<Record<LabVenueName, VenueManifest>>> = registry

/** Fewer orders than that are placed in the demo at once. */
const idsPerSecond = 100

/** Executions of an earlier run are stored under the ids of its venues: this run has others, from the time of its start. */
export const startDemoLab = (venues: readonly LabVenueName[], clock: Clock = systemClock): Promise<Lab> =>
  startLab({
    clock,
    seed: 'demo',
    idsAfter: Math.floor(clock.now() / 1_000) * idsPerSecond,
    ratePerSecond: demoRate(venues.length),
    venues,
    related: true,
    feeds: true,
    bridge: true,
    chains: true,
  })

/** Features enabled in the demo, unless the environment overrides them. */
export const demoFeatures = (venues: readonly LabVenueName[]): Record<string, string> => ({
  ...Object.fromEntries(venues.map((name) => [venueVariable(name, 'LANE'), 'true'])),
  CROSSBOOK_WEBHOOKS: 'true',
  CROSSBOOK_EXECUTION_WEBHOOKS: 'true',
  CROSSBOOK_CONDITIONAL: 'true',
  CROSSBOOK_TRADERS: 'true',
  CROSSBOOK_FEEDS: 'true',
  CROSSBOOK_OPEN_ORDERS: 'true',
  CROSSBOOK_VENUE_METRICS: 'true',
  CROSSBOOK_BRIDGE: 'true',
  CROSSBOOK_SPORTS: 'true',
  CROSSBOOK_LAB: 'true',
  CROSSBOOK_PMXT_SOCKET: 'true',
  // Where docs/examples/webhook.mjs listens. Nothing else on this machine is called.
  CROSSBOOK_WEBHOOK_ALLOW: '127.0.0.1:8090',
})

/** A lab venue's settings: its addresses, the reading key if it needs one, and the values that it does not publish. */
function venueVariables(name: LabVenueName, { urls, credentials, settings = {} }: LabVenue): [string, string][] {
  const keyed = manifests[name]?.credentialNames ?? []
  return [
    ...Object.entries(urls).map(([url, value]): [string, string] => [venueVariable(name, `${url}_URL`), value]),
    ...keyed.flatMap((part): [string, string][] => {
      const value = credentials?.[part]
      return value === undefined ? [] : [[venueVariable(name, part), value]]
    }),
    ...Object.entries(settings).map(([part, value]): [string, string] => [venueVariable(name, part), value]),
  ]
}

/** The variables that point a process at the lab and nothing else. */
export const labVariables = (lab: Lab, venues: readonly LabVenueName[]): Record<string, string> => ({
  VENUES: venues.filter((venue) => (builtVenues as readonly string[]).includes(venue)).join(','),
  ...Object.fromEntries(venues.flatMap((name) => venueVariables(name, lab[name]))),
  CROSSBOOK_BINANCE_REST_URL: lab.feeds.binance.urls.REST,
  CROSSBOOK_BINANCE_WS_URL: lab.feeds.binance.urls.WS,
  CROSSBOOK_CHAINLINK_CHAIN: 'arbitrum',
  CROSSBOOK_CHAINLINK_RPC_URL: `${lab.feeds.chainlink.urls.RPC},${lab.feeds.chainlink.urls.SPARE}`,
  CROSSBOOK_GLIDE_URL: lab.bridge.urls.API,
  CROSSBOOK_GLIDE_PROJECT_ID: lab.bridge.credentials.PROJECT_ID,
  CROSSBOOK_GLIDE_API_KEY: lab.bridge.credentials.API_KEY,
  ...Object.assign({}, ...lab.chains.map(({ environment }) => environment)),
})

/** For the file that lets other programs find this one. */
export const labRuntime = (
  lab: Lab,
  venues: readonly LabVenueName[],
): Required<Pick<Runtime, 'lab' | 'labKeys' | 'labControl'>> => ({
  lab: {
    ...Object.fromEntries(venues.map((name) => [name, { ...lab[name].urls }])),
    binance: { ...lab.feeds.binance.urls },
    chainlink: { ...lab.feeds.chainlink.urls },
    glide: { ...lab.bridge.urls },
    ...Object.fromEntries(lab.chains.map(({ name, urls }) => [name, urls])),
  },
  labKeys: Object.fromEntries(venues.map((name) => [name, { ...(lab[name] as LabVenue).credentials }])),
  labControl: lab.control.url,
})
