// CPU of the tape: of this process and of the engine's.
import { readFileSync } from 'node:fs'
import type { TapeStore } from '#storage/clickhouse/client'

/** CPU milliseconds of this process and of the engine's so far. Without /proc, the engine's part is wall time. */
export function cpuMs(store: TapeStore): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 + engineMs(store.enginePid())
}

export function engineMs(pid: number | null): number {
  try {
    const [, , , , , , , , , , , user, system] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(user) + Number(system)) * 10
  } catch {
    return performance.now()
  }
}
