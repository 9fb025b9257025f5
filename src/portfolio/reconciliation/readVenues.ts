// Reads accounts at their venues: a few at a time, each within a limit. What does not answer is named, and the others are served.
import { Fault } from '#core/fault'
import { withTimeout } from '#core/withTimeout'
import type { ErrorCode } from '#schemas/errors'
import type { Holdings } from '#venues/holdings'
import { mergeHoldings } from './merge.ts'
import type { HoldingsVenue, ReconciliationDeps } from './ports.ts'

/** Venues read at once for one request. */
const readingMax = 4
/** For all accounts of a venue together. */
export const readWithinMs = 20_000

/** One account: as its venue's schemas parsed them, null where the venue needs none. */
export interface AccountRequest {
  account: unknown
  credentials: unknown
}

export interface VenueRequest {
  venue: string
  source: HoldingsVenue
  accounts: readonly AccountRequest[]
}

export interface ReadFailure {
  code: ErrorCode
  message: string
}

export type VenueRead = { holdings: Holdings; error: null } | { holdings: null; error: ReadFailure }

export interface ReadCaller {
  accountId: string
  signal: AbortSignal
}

/** One answer per request, in order. */
export async function readVenues(
  deps: Pick<ReconciliationDeps, 'clock' | 'log'>,
  caller: ReadCaller,
  requests: readonly VenueRequest[],
): Promise<VenueRead[]> {
  const answers: VenueRead[] = []
  const queue = [...requests.entries()]
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [at, request] = next
      answers[at] = await readVenue(deps, caller, request)
    }
  }
  await Promise.all(Array.from({ length: readingMax }, work))
  caller.signal.throwIfAborted()
  return answers
}

async function readVenue(
  { clock, log }: Pick<ReconciliationDeps, 'clock' | 'log'>,
  caller: ReadCaller,
  request: VenueRequest,
): Promise<VenueRead> {
  const late = new AbortController()
  const signal = AbortSignal.any([caller.signal, late.signal])
  try {
    const holdings = await withTimeout(clock, readWithinMs, readAccounts({ ...caller, signal }, request))
    // A venue's clock may run ahead of ours.
    if (holdings !== null) return { holdings: { ...holdings, asOf: Math.min(holdings.asOf, clock.now()) }, error: null }
    return failure('NETWORK_ERROR', `${request.venue} did not answer in time`)
  } catch (error) {
    if (error instanceof Fault) return failure(error.code, error.message)
    if (!caller.signal.aborted) log.error({ err: error, venue: request.venue }, 'a read of an account failed')
    return failure('INTERNAL', `the account at ${request.venue} could not be read`)
  } finally {
    late.abort()
  }
}

/** One after the other: a venue's own limits are per key or address. All or nothing. */
async function readAccounts(caller: ReadCaller, { source, accounts }: VenueRequest): Promise<Holdings> {
  const read: Holdings[] = []
  for (const { account, credentials } of accounts) read.push(await source.read(caller, account, credentials))
  const [first, ...more] = read
  if (first === undefined) throw new Fault('VALIDATION_ERROR', 'no account is given')
  return mergeHoldings([first, ...more])
}

const failure = (code: ErrorCode, message: string): VenueRead => ({ holdings: null, error: { code, message } })
