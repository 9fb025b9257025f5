// `GET /v1/exec/venues` compared with the prose of the specification: which venues have an adapter, which builds require an owner, which
// credentials refresh needs, and which adapters are enabled by default. The table is a copy of that prose, compared with the document where
// it is available.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readConfig } from '#config'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { venueEntry } from '#orders/executions/listVenues'
import { openLanes } from '#roles/lanes'
import { positionIntents } from '#schemas/executions'
import { type ExecutionVenue, executionVenues } from '#schemas/venues'
import type { Listed } from '#test/support/cases/laneCase'
import { laneFacts } from '#test/support/venueCases'
import { type LaneVenue, lanes } from '#venues/registry'

interface Prose {
  ownerRequired: boolean
  /** Field names; empty: no body needed; `some`: the prose requires credentials without naming them; null: the prose does not say. */
  refresh: readonly string[] | 'some' | null
  /** `flag`: disabled until the operator enables it. */
  arming?: 'flag' | 'dark'
}

const prose: Readonly<Record<ExecutionVenue, Prose>> = {
  hyperliquid: { ownerRequired: true, refresh: [] },
  kalshi: { ownerRequired: false, refresh: ['apiKeyId', 'privateKeyPem'], arming: 'flag' },
  limitless: { ownerRequired: true, refresh: [] },
  opinion: { ownerRequired: true, refresh: 'some' },
  polymarket: { ownerRequired: true, refresh: 'some' },
  polymarket_us: { ownerRequired: false, refresh: ['keyId', 'secretKey'] },
  predictfun: { ownerRequired: true, refresh: 'some' },
  pascal: { ownerRequired: true, refresh: [] },
  xo: { ownerRequired: true, refresh: 'some' },
  gemini: { ownerRequired: false, refresh: ['apiKey', 'apiSecret'], arming: 'flag' },
  pred: { ownerRequired: true, refresh: ['owner', 'accessToken', 'signer'], arming: 'dark' },
  rain: { ownerRequired: true, refresh: [] },
  myriad: { ownerRequired: true, refresh: [] },
  predictstreet: { ownerRequired: true, refresh: ['owner', 'apiKey'] },
  novig: { ownerRequired: false, refresh: null },
}

/** Venues without documented order submission have no adapter case. */
const buildOnly: Readonly<Record<string, Listed>> = { xo: { verbs: [], submit: [], refresh: [], arming: 'settings' } }
const listedOf = (venue: ExecutionVenue): Listed =>
  buildOnly[venue] ?? (laneFacts[venue as LaneVenue] as { lane: { listed: Listed } }).lane.listed
const built = Object.keys(lanes) as LaneVenue[]

const entries = new Map(Object.values(lanes).map((lane) => [lane.slug, venueEntry(lane, false)]))

it('lists an adapter for every venue that the specification names, and no other', () => {
  expect([...entries.keys()].sort()).toEqual([...executionVenues].sort())
})

it.each(built)('%s: lists exactly what its case declares', (venue) => {
  const { verbs, submit, refresh } = listedOf(venue)
  const { buildVersion, ownerRequired } = lanes[venue]
  const has = Object.fromEntries(
    (['modify', 'cancel', 'redeem', ...positionIntents, 'submit', 'refresh'] as const).map((verb) => [
      verb,
      verbs.includes(verb),
    ]),
  )
  expect(entries.get(venue)).toMatchObject({
    venue,
    armed: false,
    settlementOnly: false,
    buildVersion,
    verbs: { build: true, dryRun: true, ...has },
    intents: ['order', ...(['redeem', ...positionIntents] as const).filter((intent) => verbs.includes(intent))],
    ownerRequired,
    credentials: { refresh, submit },
  })
})

it.each(built)('%s: owner and refresh credentials are those of the specification', (venue) => {
  const { ownerRequired, credentials } = entries.get(venue)!
  expect(ownerRequired).toBe(prose[venue].ownerRequired)
  const issues = lanes[venue].order.body.safeParse({}).error?.issues ?? []
  expect(issues.some(({ path }) => path[0] === 'owner')).toBe(ownerRequired)
  const { refresh } = prose[venue]
  if (lanes[venue].refresh === undefined) return expect(buildOnly).toHaveProperty(venue)
  if (refresh === 'some') expect(credentials.refresh.length).toBeGreaterThan(0)
  else if (refresh !== null) expect(credentials.refresh).toEqual(refresh)
})

it('enables by default the adapters that need no flag and no settings, except disabled venues', async () => {
  const catalog = { findOutcomes: async () => [], findMarket: async () => null } as never
  const running = openLanes(readConfig({}), catalog, { clock: systemClock, log: silentLog })
  await running.close()
  const on = built.filter((venue) => listedOf(venue).arming === 'on')
  expect([...running.armed.keys()].sort()).toEqual([...on].sort())
  for (const venue of built) {
    const { arming } = listedOf(venue)
    expect([venue, arming === 'flag' || arming === 'dark' ? arming : undefined]).toEqual([venue, prose[venue].arming])
  }
})

const spec = fileURLToPath(new URL('../../../shared/spec.md', import.meta.url))
const absent = 'needs ../shared/spec.md, which is not next to this checkout'

describe.skipIf(!existsSync(spec))(existsSync(spec) ? 'the specification' : absent, () => {
  const text = existsSync(spec) ? readFileSync(spec, 'utf8') : ''
  const inProse = (pattern: RegExp): string => {
    const found = pattern.exec(text)?.[1]
    expect(found, String(pattern)).toBeDefined()
    return found!
  }
  const words = (list: string): string[] => [...list.matchAll(/\b[a-z_]+\b/g)].map(([word]) => word)
  const venuesIn = (list: string) => words(list).filter((word) => (executionVenues as readonly string[]).includes(word))
  const fitting = (fits: (row: Prose) => boolean) => executionVenues.filter((venue) => fits(prose[venue]))

  it('names the execution venues in this order', () => {
    const listed = inProse(/^Execution venue slugs [^:]*: (.*?)\. The status-refresh/m)
    expect([...listed.matchAll(/`(\w+)`/g)].map(([, venue]) => venue)).toEqual([...executionVenues])
  })

  it('names the venues whose build requires an owner, and those that ignore it', () => {
    const required = venuesIn(inProse(/`owner` is required by ([^.]*)\./))
    expect(required).toHaveLength(11)
    expect(required.sort()).toEqual(fitting(({ ownerRequired }) => ownerRequired).sort())
    const unused = venuesIn(inProse(/It is unused for order builds by ([^.]*)\./))
    expect([...required, ...unused].sort()).toEqual([...executionVenues].sort())
  })

  it('names the credentials of refresh', () => {
    const free = venuesIn(inProse(/^Credential-free [^:]*: (.*)$/m))
    expect(free.sort()).toEqual(fitting(({ refresh }) => Array.isArray(refresh) && refresh.length === 0).sort())
    const rows = inProse(/^Caller-credentialed[\s\S]*?\n\n\|[^\n]*\n\|[^\n]*\n([\s\S]*?)\n\n/m)
    for (const row of rows.trim().split('\n')) {
      const [, given, fields] = row.split('|').map((cell) => cell.trim())
      for (const venue of words(given!)) {
        if (venue === 'sxbet') continue
        const named = fields!.includes('not shown') ? 'some' : [...fields!.matchAll(/`(\w+)`/g)].map(([, name]) => name)
        const { refresh } = prose[venue as ExecutionVenue]
        if (named === 'some') expect([venue, refresh]).toEqual([venue, 'some'])
        else expect(named, venue).toEqual(refresh)
      }
    }
  })

  it('names the venues behind a flag, and the disabled one', () => {
    const flagged = inProse(/^- The (.*) execution lanes are default-off/m)
    expect(venuesIn(flagged).sort()).toEqual(fitting(({ arming }) => arming === 'flag').sort())
    expect(venuesIn(inProse(/The `(\w+)` lane is darked/))).toEqual(fitting(({ arming }) => arming === 'dark'))
  })
})
