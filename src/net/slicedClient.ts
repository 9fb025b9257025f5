// A part of what a venue allows, for questions that callers may ask as often as they like: they wait in a line of their own before they join
// everybody's, so that no number of them takes what live data hangs on.
import { Fault } from '#lib/fault'
import type { VenueBudgets } from './hostBudget.ts'
import type { HttpClient } from './http.ts'

/** `venue`: named in faults. */
export const slicedClient = (venue: string, http: HttpClient, slice: VenueBudgets): HttpClient => ({
  async request(call) {
    try {
      await slice.of(call.url).take({ weight: call.weight, signal: call.signal })
    } catch (cause) {
      throw cause instanceof Fault
        ? cause
        : new Fault('NETWORK_ERROR', `${venue} was not asked`, { exchange: venue, cause })
    }
    return await http.request(call)
  },
})
