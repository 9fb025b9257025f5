// `npm run bench [name]`: runs every bench, or those whose name is or starts with the one given; one JSON line per figure.
import { benches as arbitrage } from './arbitrage.ts'
import { benches as arbitrageInService } from './arbitrageInService.ts'
import { benches as arbitrageToWire } from './arbitrageToWire.ts'
import { benches as backtest } from './backtest.ts'
import type { Bench } from './bench.ts'
import { benches as books } from './books.ts'
import { benches as catalogSearch } from './catalogSearch.ts'
import { benches as dashboard } from './dashboard.ts'
import { benches as executions } from './executions.ts'
import { benches as fanout } from './fanout.ts'
import { benches as hostile } from './hostile.ts'
import { benches as hostileReads } from './hostileReads.ts'
import { benches as idle } from './idle.ts'
import { benches as kalshi } from './kalshiParse.ts'
import { benches as matching } from './matching.ts'
import { benches as meteredRead } from './meteredRead.ts'
import { benches as polymarket } from './polymarketParse.ts'
import { benches as router } from './router.ts'
import { benches as structures } from './structures.ts'
import { benches as tape } from './tape.ts'
import { benches as tapeDepth } from './tapeDepth.ts'
import { benches as tickToWire } from './tickToWire.ts'
import { benches as traders } from './traders.ts'
import { benches as triggers } from './triggers.ts'
import { benches as triggersInService } from './triggersInService.ts'
import { benches as webhooks } from './webhooks.ts'

/** Every file of benches, listed explicitly so that none is silently skipped. */
const all: readonly Bench[] = [
  ...books,
  ...arbitrage,
  ...structures,
  ...router,
  ...arbitrageInService,
  ...arbitrageToWire,
  ...kalshi,
  ...polymarket,
  ...matching,
  ...executions,
  ...meteredRead,
  ...catalogSearch,
  ...fanout,
  ...tickToWire,
  ...hostile,
  ...hostileReads,
  ...tape,
  ...tapeDepth,
  ...webhooks,
  ...traders,
  ...triggers,
  ...triggersInService,
  ...backtest,
  ...idle,
  ...dashboard,
]

const wanted = process.argv[2]
const chosen = wanted === undefined ? all : all.filter(({ name }) => name === wanted || name.startsWith(`${wanted}.`))
if (chosen.length === 0) {
  process.stderr.write(`no bench named ${wanted}; there are: ${all.map(({ name }) => name).join(', ')}\n`)
  process.exitCode = 1
}
for (const bench of chosen) {
  for (const result of await bench.run()) process.stdout.write(`${JSON.stringify(result)}\n`)
}
