// Settles what was reserved for a request: kept when the response is what was requested, refunded when it is a refusal, a failure, or a
// replay of an earlier response. Requests that cost credits report their cost and the balance.

import { Fault } from '#core/fault'
import { formatCount } from '#core/formatCount'
import type { Principal } from '#platform/auth/principal'
import type { CreditsPort, Reservation } from '#platform/credits/port'
import type { HttpAnswer } from './contract.ts'
import type { Access, RouteAnswer } from './defineRoute.ts'
import type { HttpDeps } from './ports.ts'

/** A request's state at its end, as far as charging goes. */
interface Charged {
  readonly route: { readonly access: Access; readonly operationId: string }
  readonly headers: Record<string, string>
  readonly principal: Principal | null
  reservation: Reservation | null
  /** The credits in `reservation`. */
  cost: number
}

/**
 * An answer of many rows costs more than its route's price: one credit for every `rowsPerCredit` of them. Of a route with items, each in `rows`
 * costs the price.
 */
export function costOf(access: Access, answer: RouteAnswer): number {
  if (access === 'public') return 0
  const { credits, rowsPerCredit, itemsIn } = access
  if (itemsIn !== undefined) return credits * (answer.rows ?? 0)
  if (rowsPerCredit === undefined) return credits
  const rows = answer.rows ?? ('data' in answer && Array.isArray(answer.data) ? answer.data.length : 0)
  return Math.max(credits, Math.ceil(rows / rowsPerCredit))
}

/** Not charged: what the caller already had (304), refusals, and replays of the same key. */
const isFree = ({ status, headers }: HttpAnswer): boolean =>
  status >= 400 || status === 304 || headers['idempotency-replay'] === 'true'

export function metered(answer: HttpAnswer, request: Charged, deps: HttpDeps): HttpAnswer {
  const { reservation, headers, cost } = request
  if (reservation === null || isFree(answer)) return unmetered(answer, request, deps)
  request.reservation = null
  headers['x-credits-charged'] = String(cost)
  const { body } = answer
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    reservation.keep()
    addBalanceHeader(request, deps, 0)
    return answer
  }
  // It can still break off: kept when it completes, or when its reader stops reading.
  addBalanceHeader(request, deps, cost)
  return { ...answer, body: new ChargedStream(body, reservation) }
}

export function unmetered(answer: HttpAnswer, request: Charged, deps: HttpDeps): HttpAnswer {
  request.reservation?.release()
  request.reservation = null
  if (request.headers['x-credits-charged'] !== undefined) addBalanceHeader(request, deps, 0)
  return answer
}

/**
 * For a request that was refused after work was done for it: it costs what it would have cost, and at least one credit. An account without
 * credits is not refused for it: what was built can always be submitted.
 */
export async function meterByWork(answer: HttpAnswer, request: Charged, deps: HttpDeps): Promise<HttpAnswer> {
  const { route, principal, headers } = request
  if (deps.credits === undefined || principal === null || route.access === 'public') return answer
  const credits = Math.max(1, route.access.credits)
  const taken = request.reservation ?? (await takeIfThere(deps.credits, principal, credits, route.operationId))
  request.reservation = null
  if (taken === null) return answer
  taken.keep()
  headers['x-credits-charged'] = String(credits)
  addBalanceHeader(request, deps, 0)
  return answer
}

/** Null: the account does not have them. */
export async function takeIfThere(
  port: CreditsPort,
  principal: Principal,
  credits: number,
  operationId: string,
): Promise<Reservation | null> {
  try {
    return await port.reserve(principal, credits, operationId)
  } catch (error) {
    if (error instanceof Fault) return null
    throw error
  }
}

/** `ahead`: reserved credits that will be spent once the answer is through. Unlimited accounts have no balance to report. */
function addBalanceHeader({ headers, principal }: Charged, { credits }: HttpDeps, ahead: number): void {
  const balance = principal === null ? null : (credits?.balanceOf(principal) ?? null)
  if (balance !== null) headers['x-credits-balance'] = formatCount(Math.max(0, balance - ahead))
}

/** Passes chunks through unchanged; by hand, because a generator that was never started would not learn of its end. */
class ChargedStream implements AsyncIterable<Uint8Array> {
  private readonly source: AsyncIterable<Uint8Array>
  private readonly reservation: Reservation

  constructor(source: AsyncIterable<Uint8Array>, reservation: Reservation) {
    this.source = source
    this.reservation = reservation
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    const chunks = this.source[Symbol.asyncIterator]()
    const { reservation } = this
    return {
      async next() {
        try {
          const next = await chunks.next()
          if (next.done === true) reservation.keep()
          return next
        } catch (error) {
          reservation.release()
          throw error
        }
      },
      async return() {
        reservation.keep()
        return (await chunks.return?.()) ?? { done: true, value: undefined }
      },
    }
  }
}
