// Faults of an upstream without markets: they apply only to its answers, frames and connections.
import type { Clock } from '#core/clock'
import { Engine } from './engine/engine.ts'
import { Faults } from './faults.ts'
import { type LabSocket, socketFaults } from './socket.ts'

const ignore = (): undefined => undefined
const restMs = 60_000

export function httpFaults(
  { clock, seed }: { clock: Clock; seed: string },
  sockets: () => Iterable<LabSocket>,
): { engine: Engine; faults: Faults; stop(): void } {
  const engine = new Engine([], {
    clock,
    seed,
    ratePerSecond: 0,
    tickMs: restMs,
    listener: { level: ignore, trade: ignore, flush: ignore },
  })
  const faults = new Faults({
    clock,
    engine,
    staleVia: 'rest',
    overflowFrame: null,
    engineId: () => null,
    announce: ignore,
    ...socketFaults(sockets),
  })
  return {
    engine,
    faults,
    stop() {
      faults.stop()
      engine.stop()
    },
  }
}
