// A backtest of a market maker on one market: events of the tape per second of CPU, from a tape in memory.
//
// The peer is nautilus_trader's backtest of the same rules on the same tape (backtestPeer.py). Its licence is not among those that this project
// installs, so it is measured only where CROSSBOOK_NAUTILUS_PYTHON names a Python that has it.
import { runBacktest } from '#backtest/runBacktest'
import { optionsOf } from '#test/support/backtest/world'
import { nautilusEventsPerSecond } from './backtestPeer.ts'
import { benchMaker } from './backtestStrategy.ts'
import { benchTape } from './backtestTape.ts'
import { type Bench, type BenchResult, figure, fullOrShort, median, rateResult } from './bench.ts'

const rows = fullOrShort(300_000, 20_000)
const rounds = fullOrShort(3, 1)

async function measure(): Promise<BenchResult[]> {
  const tape = benchTape(rows)
  const rates: number[] = []
  let fills = 0
  let orders = 0
  for (let round = 0; round <= rounds; round++) {
    const lastMs = tape.at(-1)!.at - tape[0]!.at + 1_000
    const options = optionsOf(
      { tape, lastMs, cash: '100000000', fillModel: { latencyMedianMs: 50, latencySigma: 0 } },
      benchMaker,
    )
    const before = process.cpuUsage()
    const { summary, tapeEvents } = await runBacktest(options)
    const { user, system } = process.cpuUsage(before)
    // The first round only warms up.
    if (round > 0) rates.push(tapeEvents / ((user + system) / 1e6))
    fills = summary.fills
    orders = summary.orders
  }
  const name = 'backtest.marketMaker'
  const rate = median(rates)
  const peer = await nautilusEventsPerSecond(tape)
  return [
    peer === null
      ? figure(name, 'tape events', 'per CPU second', rate)
      : rateResult(name, 'tape events', 'per CPU second', rate, `nautilus_trader ${peer.version}`, peer.perSecond),
    figure(name, 'orders', 'in the run', orders),
    figure(name, 'fills', 'in the run', fills),
  ]
}

export const benches: readonly Bench[] = [{ name: 'backtest.marketMaker', run: measure }]
