// What has expired from an outcome's tape: since when its rows are still kept, and the stretches before that.
import type { RetainedTable } from '#schemas/history'
import type { Expired } from '#storage/clickhouse/retention'
import type { CoverageLine } from './statements/coverage.ts'
import type { Gap } from './statements/gaps.ts'

/** Epoch ms; 0: never taped. */
type Beginnings = Pick<CoverageLine, 'since' | 'tradesSince' | 'depthSince'>

const tableOf: Readonly<Record<keyof Beginnings, readonly [table: RetainedTable, words: string]>> = {
  since: ['top_of_book', 'tops of books'],
  tradesSince: ['trades', 'trades'],
  depthSince: ['depth', 'full depth'],
}

const laterOf = (taped: number, expired: number | undefined): number =>
  taped === 0 ? 0 : Math.max(taped, expired ?? 0)

export const retainedSince = <L extends Beginnings>(line: L, expired: Expired): L => ({
  ...line,
  since: laterOf(line.since, expired.get('top_of_book')),
  tradesSince: laterOf(line.tradesSince, expired.get('trades')),
  depthSince: laterOf(line.depthSince, expired.get('depth')),
})

/** Stretches that were taped once, by what has expired of them; oldest first. */
export function retentionGaps(line: Beginnings, expired: Expired): Gap[] {
  const gaps = (Object.keys(tableOf) as (keyof Beginnings)[]).flatMap((name): (Gap & { from: number })[] => {
    const [table, words] = tableOf[name]
    const [from, to] = [line[name], expired.get(table) ?? 0]
    const reason = `${words} of this period are past their retention`
    return from === 0 || from >= to ? [] : [{ kind: 'gap', from, to, reason }]
  })
  return gaps.sort((a, b) => a.from - b.from)
}
