// Whether our threads got CPU time, as counted by Linux.
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Nanoseconds that the threads of this process ran, and that they were runnable without a core. Null where the system does not report it.
 */
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
    // No Linux, or a thread that ended in the meantime.
    return null
  }
}
