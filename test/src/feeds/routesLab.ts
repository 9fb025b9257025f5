// The routes of reference feeds over the lab of both, for the tests of a file: a clock turned by hand, a log that is kept, credits that are counted.
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { ManualClock } from '#lib/clock'
import type { CreditsPort } from '#platform/credits/port'
import { createWorld, type Reply, type World } from '#test/src/http/world'
import { type FeedsHere, openFeedsLab } from './feedsLab.ts'

export type LabProxy = ReturnType<ReturnType<typeof openRoutesLab>['proxyOf']>

export const codeOf = ({ status, json }: Reply) => [status, json.error?.code]

/** Opened before the file's tests, made whole after each of them. */
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
  /** 100 to begin with. */
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
  /** What is asked here is answered over REST: the clock is turned by hand, and sockets are not. */
  const muteSockets = (): void => here.lab.binance.faults.disconnect({ refuseMs: 86_400_000 })
  /** Beyond what answers of a moment share. */
  const later = (ms = 1_500): void => clock.advance(ms)

  beforeAll(() => open())
  afterAll(() => here.close())
  afterEach(() => {
    here.lab.binance.faults.recover()
    muteSockets()
    here.lab.chainlink.faults.recover()
    here.lab.chainlink.node.lies = new Map()
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
