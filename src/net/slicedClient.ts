// A part of what a venue allows, for questions that callers may ask as often as they like: they wait in a line of their own before they join
// everybody's, so that no number of them takes what live data hangs on.
import { Fault } from '#lib/fault'
import type { VenueBudgets } from './hostBudget.ts'
import type { HttpClient } from './http.ts'
import { unusedOf } from './httpClient.ts'

export interface Slices {
  /** What a question is taken from, one after the other. */
  of(): readonly VenueBudgets[]
  /** Who would wait longer than that in any line is refused at once; nobody, where nothing is said. */
  lineMs?: number
}

/** `venue`: named in faults. */
export const slicedClient = (venue: string, http: HttpClient, { of, lineMs }: Slices): HttpClient => ({
  async request(asked) {
    const call = lineMs === undefined ? asked : { ...asked, lineMs }
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
          : new Fault('NETWORK_ERROR', `${venue} was not asked`, { exchange: venue, cause })
      }
    }
    const answer = await http.request(call)
    const unused = unusedOf(call, answer)
    if (unused > 0) refund(unused)
    return answer
  },
})
