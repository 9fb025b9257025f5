// `crossbook replay-raw`: replays raw captures with this version, and compares the resulting books and trades with those recorded.

import { stateOf } from '#rawCapture/digests'
import { findRuns } from '#rawCapture/readCapture'
import { replayRun } from '#rawCapture/replay/replayRun'
import type { ReplayReport } from '#rawCapture/replay/report'
import { print, printJson } from './output.ts'
import { showProgress } from './progress.ts'
import { tableOf } from './table.ts'

/** The exit code is 1 when something differs, 2 when nothing does and something could not be compared. */
export async function replayRaw(paths: readonly string[], { json = false }: { json?: boolean }): Promise<void> {
  const runs = await findRuns(paths)
  const progress = showProgress()
  const reports: ReplayReport[] = []
  try {
    for (const run of runs) {
      progress.show(`replaying ${reports.length + 1} of ${runs.length}: ${run.venue}, ${run.files.length} files`)
      reports.push(await replayRun(run))
    }
  } finally {
    progress.done()
  }
  if (json) printJson(...reports.map((report) => JSON.stringify(recordOf(report))))
  else print(...linesOf(reports))
  if (reports.some(differs)) process.exitCode = 1
  else if (reports.some(isIncomplete)) process.exitCode = 2
}

const differs = ({ books, trades }: ReplayReport): boolean => books.different + trades.different > 0
const isIncomplete = ({ books, trades, dropped }: ReplayReport): boolean => books.unknown + trades.unknown + dropped > 0

/** When the run began. */
const since = ({ run }: ReplayReport): string =>
  run.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d).*$/, '$1-$2-$3 $4:$5:$6')

function linesOf(reports: readonly ReplayReport[]): string[] {
  const heads = ['venue', 'since (UTC)', 'frames', 'requests', 'books equal', 'different', 'trades equal', 'different']
  const rows = reports.map((report) => {
    const { venue, frames, requests, books, trades } = report
    return [venue, since(report), frames, requests, books.equal, books.different, trades.equal, trades.different].map(
      String,
    )
  })
  const notes = reports.flatMap((report) => notesOf(report).map((note) => `${report.venue}: ${note}`))
  return [...tableOf([heads, ...rows]), ...(notes.length > 0 ? ['', ...notes] : [])]
}

function notesOf(report: ReplayReport): string[] {
  const { first, books, trades, final } = report
  const counts: [count: number, text: string][] = [
    [books.unknown, 'books could not be compared: the capture begins after their first message'],
    [trades.unknown, 'outcomes’ trades could not be compared: the capture begins after their first trade'],
    [report.partial, 'parts begin in the middle of the conversation'],
    [report.dropped, 'lines were dropped when the capture was written'],
    [report.framesUnplayed, 'frames came on connections that are not open here'],
    [report.unanswered, `requests are not in the capture: ${report.unansweredUrls.slice(0, 3).join(', ')}`],
    [report.answersUnused, 'captured answers were not requested'],
  ]
  const live = [...final.books.values()].filter(({ state }) => state === 'live').length
  const traded = [...final.trades.values()].reduce((sum, count) => sum + count, 0)
  return [
    ...(first === null
      ? []
      : [
          `first difference: ${first.what}, recorded ${first.recorded}, replayed ${first.replayed}` +
            (first.place === null ? '' : ` (${first.place.path} line ${first.place.line})`),
        ]),
    ...(books.notes > 0 ? [] : [`nothing to compare with; it ends with ${live} live books and ${traded} trades`]),
    ...counts.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`),
    ...(report.torn ? ['the process was killed while it wrote; what is whole was read'] : []),
  ]
}

function recordOf(report: ReplayReport): object {
  const { books, trades } = report.final
  return {
    ...report,
    result: differs(report) ? 'different' : isIncomplete(report) ? 'incomplete' : 'equal',
    final: { books: [...books.values()].map(stateOf), trades: Object.fromEntries(trades) },
  }
}
