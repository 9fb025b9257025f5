// The thread of the bench of matcher runs: a whole run, then runs after some of the markets changed, as the worker's thread makes them.
import { parentPort } from 'node:worker_threads'
import { MatchSession, type SessionAnswer } from '#matching/session'
import type { ClusterRow } from '#storage/postgres/matching/index'
import { type BenchResult, figure, median } from './bench.ts'
import { crowd } from './marketCrowd.ts'

const size = 200_000
const changed = 1_000

function runs(): BenchResult[] {
  const { markets } = crowd(size, { venues: 16 })
  const session = new MatchSession()
  session.put(markets)
  const seconds = (full: boolean, before: readonly ClusterRow[]): [SessionAnswer, cpu: number, wall: number] => {
    const previous = before.map(({ id, members }) => ({
      id,
      members: members.map(({ venue, market_id }) => ({ key: `${venue}:${market_id}` })),
    }))
    const [start, wall] = [process.cpuUsage(), performance.now()]
    const answer = session.run({ previous, overrides: [], full, now: Date.now() })
    const { user, system } = process.cpuUsage(start)
    return [answer, (user + system) / 1e6, (performance.now() - wall) / 1e3]
  }
  const [answer, whole, wholeWall] = seconds(true, [])
  const [changes, walls]: [number[], number[]] = [[], []]
  for (let round = 0; round < 5; round++) {
    session.put(Array.from({ length: changed }, (_, at) => ({ ...markets[(at * 7_919 + round * 13) % size]! })))
    const [, cpu, wall] = seconds(false, answer.clusters)
    changes.push(cpu)
    walls.push(wall)
  }
  return [
    figure('matching.runs', `${size} markets read and paired`, 'CPU seconds', whole),
    figure('matching.runs', `${size} markets read and paired`, 'seconds by the clock', wholeWall),
    figure('matching.runs', `${changed} of ${size} changed`, 'CPU seconds', median(changes)),
    figure('matching.runs', `${changed} of ${size} changed`, 'seconds by the clock', median(walls)),
    figure('matching.runs', 'resident memory after', 'MB', process.memoryUsage.rss() / 2 ** 20),
  ]
}

parentPort!.postMessage(runs())
