// `npm run verify:kalshi-tape -- <folder>`: plays recordings through the real session into real live books and compares the books with the
// checkpoints the recorder took. One JSON line per recording; exit 1 when a comparable checkpoint differs, a level went negative, a book
// was crossed, a gap was seen, or the scanner and the JSON parser disagree.
//
// Keys. Numbers count per market and restart with a fresh subscription, so `(market, number)` names two states when a session was
// resubscribed. Here every such start gets its own sid, and a checkpoint belongs to the latest start received before the checkpoint was
// taken.
import { pathToFileURL } from 'node:url'
import type { LiveBook } from '#core/books/liveBook'
import { ONE } from '#core/price'
import type { SessionCounts } from '#venues/kalshi/data/session'
import { ASK, BID } from '#venues/venue'
import { kalshiWorld } from './kalshiFeed.ts'
import { type Checkpoint, type FieldOrder, frameOf, type Recording, readRecording, recordingsIn } from './kalshiTape.ts'

export interface TapeReport {
  recording: string
  checkpoints: number
  /** Taken while both sides had only whole cents within the recorder's top five: it rounds finer levels to cents, and so loses them. */
  comparable: number
  equal: number
  negative: number
  crossed: number
}

export interface TapeRun extends TapeReport {
  counts: SessionCounts
  /** Times a book was given up, by reason. */
  broken: Record<string, number>
  /** The last book of every market, for comparing runs. */
  books: Map<string, string>
  differences: string[]
}

const topLevels = 5
/** At most ten steps of a tenth of a cent round to the fifth level's cent. */
const nearLevels = topLevels + 10
const wholeCent = 10_000
/** Differences printed for one recording. */
const shownMax = 10

export function playRecording({ name, events, checkpoints }: Recording, order: FieldOrder): TapeRun {
  const tickers = [...new Set(events.map((event) => event.ticker))]
  // The recorder subscribed without use_yes_price: NO levels have NO prices, and the session is configured accordingly.
  const { session, books, broken } = kalshiWorld(tickers, { yesPrice: false })

  const run: TapeRun = {
    recording: name,
    checkpoints: checkpoints.length,
    comparable: 0,
    equal: 0,
    negative: 0,
    crossed: 0,
    counts: session.counts,
    broken,
    books: new Map(),
    differences: [],
  }
  const starts = new Map<string, { sid: number; atMs: number }[]>()
  for (const event of events) {
    const known = starts.get(event.ticker) ?? []
    if (event.kind === 'orderbook_snapshot' && (known.length === 0 || event.seq === 1))
      starts.set(event.ticker, [...known, { sid: 100 + starts.size * 10 + known.length, atMs: event.recvNs / 1e6 }])
  }
  const due = new Map<string, Checkpoint[]>()
  for (const checkpoint of checkpoints) {
    const start = starts.get(checkpoint.ticker)?.findLast((candidate) => candidate.atMs <= checkpoint.atMs)
    const key = `${start?.sid}:${checkpoint.seq}`
    due.set(key, [...(due.get(key) ?? []), checkpoint])
  }

  for (const event of events) {
    const recvMs = Math.floor(event.recvNs / 1e6)
    const sid =
      event.kind === 'ticker'
        ? 1
        : (starts.get(event.ticker)?.findLast((candidate) => candidate.atMs <= event.recvNs / 1e6)?.sid ?? 0)
    session.receive(frameOf(event, sid, order), recvMs)
    if (event.seq === null) continue
    const book = books.get(event.ticker)
    for (const checkpoint of due.get(`${sid}:${event.seq}`) ?? [])
      if (book !== undefined) compare(run, book, checkpoint)
  }
  for (const [ticker, book] of books) run.books.set(ticker, book.core().toString())
  run.negative = broken.negative ?? 0
  run.crossed = broken.crossed ?? 0
  return run
}

function compare(run: TapeRun, book: LiveBook, checkpoint: Checkpoint): void {
  const yes = near(book, BID)
  const no = near(book, ASK).map(([micros, size]): [number, number] => [ONE - micros, size])
  if (!wholeCents(yes) || !wholeCents(no)) return
  run.comparable++
  if (same(yes.slice(0, topLevels), checkpoint.yes) && same(no.slice(0, topLevels), checkpoint.no)) run.equal++
  else
    run.differences.push(
      `${checkpoint.ticker} #${checkpoint.seq}: ours ${JSON.stringify({ yes, no })} recorder ${JSON.stringify(checkpoint)}`,
    )
}

/** No finer level among those that round to one of the top five: 9.9 cents would be counted with the 10 cents. Best first, as bids. */
function wholeCents(levels: [micros: number, size: number][]): boolean {
  const fifth = levels[topLevels - 1]?.[0] ?? 0
  return levels.every(([micros]) => micros % wholeCent === 0 || Math.round(micros / wholeCent) * wholeCent < fifth)
}

function near(book: LiveBook, side: typeof BID | typeof ASK): [micros: number, size: number][] {
  const prices = new Int32Array(nearLevels)
  const sizes = new Float64Array(nearLevels)
  const count = book.copyLevels(side, nearLevels, prices, sizes)
  return Array.from({ length: count }, (_, i) => [prices[i] as number, sizes[i] as number])
}

const same = (ours: [number, number][], theirs: [number, number][]): boolean =>
  ours.length === theirs.length &&
  ours.every(
    ([micros, size], i) =>
      micros === (theirs[i]?.[0] ?? 0) * wholeCent && Math.abs(size - (theirs[i]?.[1] ?? 0)) < 1e-6,
  )

/** Empty when there are no errors. */
export function troubleIn(scanned: TapeRun, parsed: TapeRun): string[] {
  const trouble = [...scanned.differences]
  if (scanned.counts.scanned === 0) trouble.push('no frame used the scanner')
  if (parsed.counts.scanned !== 0) trouble.push('a re-ordered frame used the scanner')
  for (const run of [scanned, parsed])
    for (const [reason, times] of Object.entries(run.broken)) trouble.push(`${reason}: ${times} times`)
  for (const [ticker, book] of scanned.books)
    if (parsed.books.get(ticker) !== book)
      trouble.push(`${ticker}: the scanner and the JSON parser built different books`)
  if (scanned.equal !== parsed.equal || scanned.comparable !== parsed.comparable)
    trouble.push('the scanner and the JSON parser reached different checkpoints')
  return trouble
}

export const reportOf = ({ recording, checkpoints, comparable, equal, negative, crossed }: TapeRun): TapeReport => ({
  recording,
  checkpoints,
  comparable,
  equal,
  negative,
  crossed,
})

function main(folder: string | undefined): number {
  if (folder === undefined) {
    process.stderr.write('usage: npm run verify:kalshi-tape -- <folder>\n')
    return 2
  }
  const recordings = recordingsIn(folder)
  if (recordings.length === 0) {
    process.stderr.write(`no recording in ${folder}\n`)
    return 2
  }
  let failed = false
  for (const path of recordings) {
    const recording = readRecording(path)
    const scanned = playRecording(recording, 'wire')
    const trouble = troubleIn(scanned, playRecording(recording, 'recorded'))
    process.stdout.write(`${JSON.stringify(reportOf(scanned))}\n`)
    for (const line of trouble.slice(0, shownMax)) process.stderr.write(`${recording.name}: ${line}\n`)
    if (trouble.length > shownMax) process.stderr.write(`${recording.name}: … ${trouble.length - shownMax} more\n`)
    failed ||= trouble.length > 0
  }
  return failed ? 1 : 0
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = main(process.argv[2])
