// Which accounts a request names, parsed by their venues' own schemas, and where it names none.
import type { z } from 'zod'
import { Fault } from '#core/fault'
import { formatIssues } from '#core/formatZodIssues'
import { TradedVenue } from '#server/http/venueName'
import type { HoldingsVenue, ReconciliationDeps } from '../ports.ts'
import type { AccountRequest, VenueRequest } from '../readVenues.ts'

/** Accounts of one venue in a request. */
export const accountsMax = 5

type Given = Readonly<Record<string, unknown>>
type ByVenue = Readonly<Record<string, Given | readonly Given[]>>

export interface ReconciliationBody {
  venues?: readonly string[] | undefined
  accounts: ByVenue
  credentials: ByVenue
}

export interface Gap {
  venue: string
  reason: string
}

export interface Plan {
  requests: VenueRequest[]
  unsupported: Gap[]
  accountNeeded: Gap[]
}

type Venues = Pick<ReconciliationDeps, 'venues' | 'unsupported'>

/** Throws VALIDATION_ERROR, which never repeats a value. */
export function planOf(deps: Venues, { venues, accounts, credentials }: ReconciliationBody): Plan {
  const [named, keyed] = [canonical('accounts', accounts), canonical('credentials', credentials)]
  const wanted = [...new Set(venues ?? [...named.keys(), ...keyed.keys()])]
  for (const [field, given] of [
    ['accounts', named],
    ['credentials', keyed],
  ] as const) {
    const extra = [...given.keys()].find((venue) => !wanted.includes(venue))
    if (extra !== undefined) throw invalid(`${field}.${extra}`, 'is not one of venues')
  }
  const plan: Plan = { requests: [], unsupported: [], accountNeeded: [] }
  for (const venue of wanted) {
    const source = deps.venues.get(venue)
    if (source !== undefined) {
      rejectUnneeded(`accounts.${venue}`, source.holdings.account, named.get(venue))
      rejectUnneeded(`credentials.${venue}`, source.holdings.credentials, keyed.get(venue))
    }
    const missing = source === undefined ? null : missingOf(venue, source, named.has(venue), keyed.has(venue))
    if (source === undefined) plan.unsupported.push(gapOf(deps, venue))
    else if (missing !== null) plan.accountNeeded.push(missing)
    else plan.requests.push({ venue, source, accounts: pairs(venue, source, named.get(venue), keyed.get(venue)) })
  }
  return plan
}

/** Venues with positions that the plan leaves out. */
export function unnamedVenues(
  deps: Venues,
  { requests, unsupported, accountNeeded }: Plan,
  held: readonly string[],
): Pick<Plan, 'unsupported' | 'accountNeeded'> {
  const planned = new Set([...requests, ...unsupported, ...accountNeeded].map(({ venue }) => venue))
  const left: Pick<Plan, 'unsupported' | 'accountNeeded'> = { unsupported: [], accountNeeded: [] }
  for (const venue of held.filter((name) => !planned.has(name))) {
    const source = deps.venues.get(venue)
    const missing = source === undefined ? null : missingOf(venue, source, false, false)
    if (source === undefined) left.unsupported.push(gapOf(deps, venue))
    else if (missing !== null) left.accountNeeded.push(missing)
  }
  return left
}

const gapOf = ({ unsupported }: Venues, venue: string): Gap => ({
  venue,
  reason: unsupported.get(venue) ?? 'it documents no read of accounts',
})

/** A venue reads an account by its name, by credentials, or by both. */
function missingOf(venue: string, { holdings }: HoldingsVenue, isNamed: boolean, isKeyed: boolean): Gap | null {
  if (holdings.account !== undefined && !isNamed) return { venue, reason: `accounts.${venue} is needed` }
  if (holdings.credentials !== undefined && !isKeyed) return { venue, reason: `credentials.${venue} are needed` }
  return null
}

function canonical(field: string, given: ByVenue): Map<string, readonly Given[]> {
  const byVenue = new Map<string, readonly Given[]>()
  for (const [name, value] of Object.entries(given)) {
    const venue = TradedVenue.safeParse(name)
    if (!venue.success) throw invalid(field, formatIssues(venue.error.issues))
    if (byVenue.has(venue.data)) throw invalid(`${field}.${venue.data}`, 'is given twice')
    byVenue.set(venue.data, Array.isArray(value) ? (value as readonly Given[]) : [value as Given])
  }
  return byVenue
}

function pairs(
  venue: string,
  { holdings }: HoldingsVenue,
  named: readonly Given[] = [],
  keyed: readonly Given[] = [],
): AccountRequest[] {
  const [accounts, credentials] = [
    parseAll(`accounts.${venue}`, holdings.account, named),
    parseAll(`credentials.${venue}`, holdings.credentials, keyed),
  ]
  if (accounts !== null && credentials !== null && accounts.length !== credentials.length) {
    throw invalid(`credentials.${venue}`, 'must be as many as its accounts')
  }
  const count = (accounts ?? credentials ?? []).length
  return Array.from({ length: count }, (_, i) => ({
    account: accounts?.[i] ?? null,
    credentials: credentials?.[i] ?? null,
  }))
}

/** Null: the venue takes none. */
function parseAll(field: string, shape: z.ZodType | undefined, given: readonly Given[]): unknown[] | null {
  if (shape === undefined) return null
  return given.map((value) => {
    const parsed = shape.safeParse(value)
    if (parsed.success) return parsed.data
    throw invalid(field, formatIssues(parsed.error.issues))
  })
}

/** Given to a venue that takes none, also where what it takes is missing. */
function rejectUnneeded(field: string, shape: z.ZodType | undefined, given: readonly Given[] = []): void {
  if (shape === undefined && given.length > 0) throw invalid(field, 'are not needed: nothing is read with them')
}

const invalid = (field: string, why: string): Fault => new Fault('VALIDATION_ERROR', `${field}: ${why}`)
