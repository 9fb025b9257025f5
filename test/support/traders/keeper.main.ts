// A process that writes the record of traders, one cut at a time, and rolls everything up. Cuts are lines on stdin; if a cut names a
// statement to block at, the process reports on stdout when it is blocked there, and is killed by the test.
import { createInterface } from 'node:readline'
import { connectTape, type TapeStore } from '#storage/clickhouse/client'
import type { KeeperReport, KeeperWork } from './keeper.ts'
import { drawTrades, rollUpAll, startPipeline } from './recordWorld.ts'

const tape = await connectTape({ url: process.argv[2]!, dataDir: '' })
const report = (word: KeeperReport): void => void process.stdout.write(`${JSON.stringify(word)}\n`)
const never = new Promise<never>(() => undefined)

/** A store that blocks at its nth statement: before it is sent, while it runs, or after its response. */
function crashingStore({ dieAt, moment }: KeeperWork): Pick<TapeStore, 'rows' | 'command' | 'insert'> {
  let statements = 0
  const run = async <T>(statement: () => Promise<T>): Promise<T> => {
    if (++statements !== dieAt) return statement()
    if (moment === 'before') report({ stoppedAt: statements })
    if (moment === 'before') return never
    const answer = statement()
    if (moment === 'after') await answer
    report({ stoppedAt: statements })
    return never
  }
  return {
    rows: (sql, parameters, signal) => run(() => tape.rows(sql, parameters, signal)),
    command: (sql) => run(() => tape.command(sql)),
    insert: (target, rows, token) => run(() => tape.insert(target, rows, token)),
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const work = JSON.parse(line) as KeeperWork
  const { writer, rollUp } = startPipeline(crashingStore(work))
  const trades = drawTrades(work.drawn)
  for (const { from, to, step = 1, token } of work.cuts) {
    const cut = trades.slice(from, to).filter((_, n) => n % step === 0)
    await writer.write(cut, token)
  }
  if (work.rollsUp) await rollUpAll(rollUp)
  report('done')
}
await tape.close()
