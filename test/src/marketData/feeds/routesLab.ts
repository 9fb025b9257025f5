// The routes of reference feeds over the lab of both, for the tests of a file: a manual clock, a recorded log, counted credits.
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { ManualClock } from '#core/clock'
import type { CreditsPort } from '#platform/credits/port'
import { createWorld, type Reply, type World } from '#test/src/server/http/world'
import { type FeedsHere, openFeedsLab } from './feedsLab.ts'

export type LabProxy = ReturnType<ReturnType<typeof openRoutesLab>['proxyOf']>

export const codeOf = ({ status, json }: Reply) => [status, json.error?.code]

/** Opened before the file's tests, reset after each of them. */
export function openRoutesLab() {
  let clock: ManualClock
  let here: FeedsHere
  let world: World
  const logged: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk))
      done()
    },
  })
  const log = pino({ level: 'trace' }, sink)
  const spent: number[] = []
  /** Initially 100. */
  const credits: CreditsPort = {
    reserve: (_, amount) => ({ keep: () => void spent.push(amount), release: () => undefined }),
    balanceOf: () => 100 - spent.reduce((sum, amount) => sum + amount, 0),
  }

  async function open(more: Readonly<Record<string, string>> = {}): Promise<void> {
    clock = new ManualClock()
    here = await openFeedsLab({ clock, log }, more)
    world = createWorld({ families: { feeds: true }, feeds: here.feeds, log, credits })
    muteSockets()
  }
  /** Requests here are served over REST, because the clock is manual and sockets are not. */
  const muteSockets = (): void => here.lab.binance.faults.disconnect({ refuseMs: 86_400_000 })
  /** Longer than responses are cached. */
  const later = (ms = 1_500): void => clock.advance(ms)

  beforeAll(() => open())
  afterAll(() => here.close())
  afterEach(() => {
    here.lab.binance.faults.recover()
    muteSockets()
    here.lab.chainlink.faults.recover()
    here.lab.chainlink.node.falsifiers = new Map()
    later()
  })
  return {
    get clock() {
      return clock
    },
    get here() {
      return here
    },
    get world() {
      return world
    },
    logged,
    spent,
    open,
    later,
    get: (path: string): Promise<Reply> => world.get(`/api/feeds/${path}`),
    proxyOf: (pair: string) => here.lab.chainlink.proxies.get(pair)!,
  }
}
