// A part of a venue's allowance, for requests that callers may make as often as they like: they wait in a queue of their own before they
// join the common one, so that they cannot take what live data depends on.
import { Fault } from '#core/fault'
import type { VenueBudgets } from './hostRateLimiter.ts'
import type { HttpClient } from './http.ts'
import { remainingOf } from './httpClient.ts'

export interface Slices {
  /** The budgets a request is charged to, one after the other. */
  of(): readonly VenueBudgets[]
  /** A request that would wait longer in any queue is refused at once; never by default. */
  lineMs?: number
}

/** `venue`: named in faults. */
export const quotaClient = (venue: string, http: HttpClient, { of, lineMs }: Slices): HttpClient => ({
  async request(given) {
    const call = lineMs === undefined ? given : { ...given, lineMs }
    const { url, weight = 1, signal } = call
    const budgets = of().map((slice) => slice.of(url))
    const refund = (units: number, taken = budgets): void => {
      for (const budget of taken) budget.refund(units)
    }
    for (const [index, budget] of budgets.entries()) {
      try {
        await budget.take({ weight, signal, lineMs })
      } catch (cause) {
        refund(weight, budgets.slice(0, index))
        throw cause instanceof Fault
          ? cause
          : new Fault('NETWORK_ERROR', `no request was sent to ${venue}`, { exchange: venue, cause })
      }
    }
    const answer = await http.request(call)
    const unused = remainingOf(call, answer)
    if (unused > 0) refund(unused)
    return answer
  },
})
