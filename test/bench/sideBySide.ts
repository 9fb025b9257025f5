// Ways to do the same work, measured alternately: a disturbance of the machine affects all of them, so the ratios stay correct.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { fullOrShort, median } from './bench.ts'

/** One way over one run of the frames. Created again for every run, outside the measured time. */
export interface World {
  /** The loop over the frames belongs to the world: one call site shared by all ways would be slow for each of them. */
  receiveAll(frames: readonly Buffer[]): void
  /** Throws when not all frames were applied: the figure would be meaningless. */
  check?(frames: number): void
}

export interface SideBySideOptions {
  frames: readonly Buffer[]
  /** Frames of one round at least; a round is about 50 ms of work. */
  framesPerRound?: number
  rounds?: number
}

setFlagsFromString('--expose-gc')
// Each collection ages compiled code; after several, a way that waits for its round would start cold.
setFlagsFromString('--no-flush-bytecode')
/** Between rounds, outside the measured time: a way must not pay for the garbage of another. */
const collectGarbage = runInNewContext('gc') as () => void

const warmUpRounds = fullOrShort(2, 1)

/** CPU nanoseconds per frame of each way: the median of the rounds, of which the first two only warm up. */
export function sideBySide<Way extends string>(
  ways: Readonly<Record<Way, () => World>>,
  { frames, framesPerRound = fullOrShort(100_000, 1_000), rounds = fullOrShort(9, 1) }: SideBySideOptions,
): Record<Way, number> {
  const names = Object.keys(ways) as Way[]
  const taken = new Map<Way, number[]>(names.map((name) => [name, []]))
  // Optimised code is discarded with the last object it was made for; in a real process a session lives on.
  const kept = names.map((name) => [ways[name](), ways[name](), ways[name]()])
  for (const worlds of kept) for (const world of worlds) world.receiveAll(frames)
  const runs = Math.ceil(framesPerRound / frames.length)
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const name of names) {
      const worlds = Array.from({ length: runs }, ways[name])
      collectGarbage()
      // The collection may have dropped compiled code; it is compiled again before measuring.
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
