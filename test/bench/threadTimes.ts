// Whether the machine let our threads run, as Linux counts it.
import { readdirSync, readFileSync } from 'node:fs'

/** Nanoseconds that the threads of this process ran, and that they were ready to run and had no core. Null where the system does not say. */
export function threadTimes(): { ran: number; waited: number } | null {
  try {
    const times = { ran: 0, waited: 0 }
    for (const thread of readdirSync('/proc/self/task')) {
      const [ran = 0, waited = 0] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1').split(' ').map(Number)
      times.ran += ran
      times.waited += waited
    }
    return times
  } catch {
    // No Linux, or a thread that ended while we looked.
    return null
  }
}
