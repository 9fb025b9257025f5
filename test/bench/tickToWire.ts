// From the venue's bytes to the frame at every subscriber, through the real adapter, book, bus, hub and gateway.
import { programOptions } from '../support/programOptions.ts'
import { type Bench, type BenchResult, fullOrShort } from './bench.ts'
import { type Load, openStage } from './tickToWire.stage.ts'

const seconds = fullOrShort(5, 0.5)
const loads: (Load & { subscribers: number })[] = [
  { messagesPerSecond: 1_000, subscribers: 10, seconds },
  { messagesPerSecond: 1_000, subscribers: 100, seconds },
  { messagesPerSecond: 50_000, subscribers: 10, seconds },
]

const peer = 'ws + JSON relay'

async function measure(program: string, load: (typeof loads)[number], execArgv: readonly string[]) {
  const stage = await openStage(program, load.subscribers, execArgv)
  try {
    return await stage.drive(load)
  } finally {
    stage.close()
  }
}

export const benches: Bench[] = loads.map((load) => {
  const name = `tickToWire.${load.messagesPerSecond}x${load.subscribers}`
  const figure = (
    metric: string,
    unit: string,
    ours: number,
    theirs: number,
    better: 'less' | 'more',
  ): BenchResult => ({
    bench: name,
    metric,
    value: Number(ours.toPrecision(4)),
    unit,
    peer,
    peerValue: Number(theirs.toPrecision(4)),
    ratio: Number((better === 'less' ? theirs / ours : ours / theirs).toPrecision(4)),
  })
  return {
    name,
    async run() {
      const ours = await measure('./tickToWire.server.ts', load, programOptions)
      const theirs = await measure('./tickToWire.relay.ts', load, [])
      return [
        figure('venue bytes to subscriber, p50', 'ms', ours.p50Ms, theirs.p50Ms, 'less'),
        figure('venue bytes to subscriber, p99', 'ms', ours.p99Ms, theirs.p99Ms, 'less'),
        figure('delivered unconflated', 'share', ours.delivered, theirs.delivered, 'more'),
        figure('server CPU', 'cores', ours.cpu, theirs.cpu, 'less'),
      ]
    },
  }
})
