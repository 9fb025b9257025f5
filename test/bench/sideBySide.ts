// Ways to do the same work, measured in turns: what disturbs the machine for a second disturbs all of them, so the ratios stay true.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { median } from './bench.ts'

/** One way over one run of the frames. Made anew for every run, outside the clock. */
export interface World {
  /** The loop over the frames is the world's own: a call shared by all ways would be slow for each of them. */
  receiveAll(frames: readonly Buffer[]): void
  /** Throws when the frames were not all applied: such a figure would mean nothing. */
  check?(frames: number): void
}

export interface SideBySideOptions {
  frames: readonly Buffer[]
  /** Frames of one round at least; a round is some 50 ms of work. */
  framesPerRound?: number
  rounds?: number
}

setFlagsFromString('--expose-gc')
// Each collection ages compiled code; after some, what waits for its turn would start cold.
setFlagsFromString('--no-flush-bytecode')
/** Between the turns, outside the clock: nobody pays for what another one left behind. */
const collectGarbage = runInNewContext('gc') as () => void

/** CPU nanoseconds per frame of each way: the median of the rounds, of which the first two only warm up. */
export function sideBySide<Way extends string>(
  ways: Readonly<Record<Way, () => World>>,
  { frames, framesPerRound = 100_000, rounds = 9 }: SideBySideOptions,
): Record<Way, number> {
  const names = Object.keys(ways) as Way[]
  const taken = new Map<Way, number[]>(names.map((name) => [name, []]))
  // Optimised code dies with the last object it was made for; in a real process a session lives on.
  const kept = names.map((name) => [ways[name](), ways[name](), ways[name]()])
  for (const worlds of kept) for (const world of worlds) world.receiveAll(frames)
  const runs = Math.ceil(framesPerRound / frames.length)
  for (let round = -2; round < rounds; round++) {
    for (const name of names) {
      const worlds = Array.from({ length: runs }, ways[name])
      collectGarbage()
      // The collection may have dropped compiled code: it is made again before the clock starts.
      for (let run = 0; run < runs / 2; run++) ways[name]().receiveAll(frames)
      const before = process.cpuUsage()
      for (const world of worlds) world.receiveAll(frames)
      const { user, system } = process.cpuUsage(before)
      for (const world of worlds) world.check?.(frames.length)
      if (round >= 0) taken.get(name)?.push(((user + system) * 1_000) / (runs * frames.length))
    }
  }
  if (kept.length !== names.length) throw new Error('unreachable: keeps the first worlds alive')
  return Object.fromEntries(names.map((name) => [name, median(taken.get(name) ?? [])])) as Record<Way, number>
}
