// A process that keeps the record of traders, one cut at a time: it writes the cut and rolls everything up. Cuts come as lines on stdin; where one names a
// statement to die at, the process says so on stdout when it stands there, and is killed from outside.
import { createInterface } from 'node:readline'
import { connectTape, type TapeStore } from '#storage/clickhouse/client'
import type { KeeperWord, KeeperWork } from './keeper.ts'
import { drawTrades, keep, rollUpAll } from './recordWorld.ts'

const tape = await connectTape({ url: process.argv[2]!, dataDir: '' })
const say = (word: KeeperWord): void => void process.stdout.write(`${JSON.stringify(word)}\n`)
const never = new Promise<never>(() => undefined)

/** A store whose nth statement is the last: not said, under way, or answered when the process dies. */
function mortal({ dieAt, moment }: KeeperWork): Pick<TapeStore, 'rows' | 'command' | 'insert'> {
  let statements = 0
  const ask = async <T>(statement: () => Promise<T>): Promise<T> => {
    if (++statements !== dieAt) return statement()
    if (moment === 'before') say({ standsAt: statements })
    if (moment === 'before') return never
    const answer = statement()
    if (moment === 'after') await answer
    say({ standsAt: statements })
    return never
  }
  return {
    rows: (sql, parameters, signal) => ask(() => tape.rows(sql, parameters, signal)),
    command: (sql) => ask(() => tape.command(sql)),
    insert: (target, rows, token) => ask(() => tape.insert(target, rows, token)),
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const work = JSON.parse(line) as KeeperWork
  const { writer, rollUp } = keep(mortal(work))
  const trades = drawTrades(work.drawn)
  for (const { from, to, step = 1, token } of work.cuts) {
    const cut = trades.slice(from, to).filter((_, n) => n % step === 0)
    await writer.write(cut, token)
  }
  if (work.rollsUp) await rollUpAll(rollUp)
  say('done')
}
await tape.close()
