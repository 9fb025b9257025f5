// What processes cost, as counted by Linux. Unlike wall time, CPU time does not depend on other load on the machine.
import { readFileSync } from 'node:fs'
import { descendantsOf } from '#test/endToEnd/process/program'

/** Linux counts CPU time in hundredths. */
const tickSeconds = 0.01

/** CPU seconds of a process and all its descendants, including those that have ended. */
export const cpuSecondsOf = (pid: number): number =>
  sumOf(pid, (one) => {
    const stat = readFileSync(`/proc/${one}/stat`, 'utf8')
    // pid (name, which may hold anything) state … utime stime cutime cstime
    const times = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
    return times.reduce((sum, ticks) => sum + Number(ticks) * tickSeconds, 0)
  })

/** MB of a process and all its descendants; shared memory is counted once. */
export const megabytesOf = (pid: number): number =>
  sumOf(
    pid,
    (one) => Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${one}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1_024,
  )

function sumOf(pid: number, of: (pid: number) => number): number {
  let sum = 0
  for (const one of [pid, ...descendantsOf(pid)]) {
    try {
      sum += of(one)
    } catch {
      // The process ended in the meantime.
    }
  }
  return sum
}
