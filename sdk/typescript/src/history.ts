// The tape, row by row: a page is read as it comes, and the next is asked for when its last line names it.
import { backoffMs, sleep } from './clock.ts'
import { ConnectionError, CrossbookError } from './errors.ts'
import type { components } from './generated/api.ts'
import type { AnyParams, Params } from './operations.ts'
import type { CallOptions, Opened, Transport } from './transport.ts'

type Schemas = components['schemas']

/** Best bid and ask. Times are epoch milliseconds; null: an empty side, or not known. */
export type TobRow = Schemas['TopOfBookLine']
export type TradeRow = Schemas['TradeLine']
export type CandleRow = Schemas['CandleLine']
/**
 * A level of the whole book. `start`, `snapshot`: the book as it stands; `delta`: a level that changed, `size` 0 is nothing; `same`: nothing changed;
 * `gap`: not known from here on. Rows that share `recvTs`, `epoch` and `seq` are one change.
 */
export type L2Row = Schemas['DepthLine']
/** A stretch in which a row of the surface was executable; `best` is the row as it was then. */
export type ArbitrageHistoryRow = Schemas['ArbitrageLine']

interface RowOf {
  tob: TobRow
  trades: TradeRow
  candles: CandleRow
  l2: L2Row
}
export type ReplayKind = keyof RowOf
export type ReplayQuery<Kind extends ReplayKind> = Omit<Params<'replayHistory'>['query'], 'kind' | 'format'> & {
  kind: Kind
}
export type ReplayRow<Kind extends ReplayKind> = RowOf[Kind]

export type ArbitrageHistoryQuery = Params<'replayArbitrage'>['query']

type Rows = AsyncGenerator<Record<string, unknown>, void, undefined>

/** A line longer than this is no row. */
const lineCharsMax = 4 * 1024 * 1024

export const replay = <Kind extends ReplayKind>(
  transport: Transport,
  query: ReplayQuery<Kind>,
  options: CallOptions,
): AsyncGenerator<ReplayRow<Kind>, void, undefined> =>
  rows(transport, 'replayHistory', { ...query, format: 'ndjson' }, options) as unknown as AsyncGenerator<
    ReplayRow<Kind>
  >

export const replayArbitrage = (
  transport: Transport,
  query: ArbitrageHistoryQuery,
  options: CallOptions,
): AsyncGenerator<ArbitrageHistoryRow, void, undefined> =>
  rows(transport, 'replayArbitrage', query, options) as unknown as AsyncGenerator<ArbitrageHistoryRow>

async function* rows(
  transport: Transport,
  name: 'replayHistory' | 'replayArbitrage',
  query: NonNullable<AnyParams['query']>,
  options: CallOptions,
): Rows {
  let cursor = query.cursor
  for (;;) {
    const next = yield* page(transport, () => transport.open(name, { query: { ...query, cursor } }, options), options)
    if (next === null) return
    if (next === cursor) throw new CrossbookError(`${name}: a page names itself as the next`)
    cursor = next
  }
}

/** Answers the next page's cursor. A page that is cut is asked for again, and its rows that were told are passed over. */
async function* page(
  { settings: { retry, clock, random } }: Transport,
  open: () => Promise<Opened>,
  options: CallOptions,
): AsyncGenerator<Record<string, unknown>, string | null, undefined> {
  let told = 0
  for (let attempt = 0; ; attempt++) {
    const opened = await open()
    const lines = linesOf(opened)
    try {
      for (let passed = 0; ; ) {
        const row = await rowOf(lines)
        if (row instanceof ConnectionError) {
          if (attempt >= retry.retries) throw row
          break
        }
        if (row.k === 'cursor') return row.next as string | null
        if (passed++ < told) continue
        told++
        attempt = 0
        yield row
      }
    } finally {
      opened.end()
    }
    await sleep(clock, backoffMs(attempt, retry, random), options.signal)
  }
}

async function rowOf(lines: AsyncGenerator<string>): Promise<Record<string, unknown> | ConnectionError> {
  try {
    const { done, value } = await lines.next()
    // The last line names the next page: without it something is missing.
    return done ? new ConnectionError('the page was cut') : (JSON.parse(value) as Record<string, unknown>)
  } catch (error) {
    if (error instanceof ConnectionError) return error
    if (error instanceof SyntaxError) return new ConnectionError('a row was cut', { cause: error })
    throw error
  }
}

async function* linesOf({ read }: Opened): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for (let chunk = await read(); chunk !== null; chunk = await read()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    if (rest.length > lineCharsMax) throw new CrossbookError(`a row is longer than ${lineCharsMax} characters`)
    for (const line of lines) if (line !== '') yield line
  }
  if (rest !== '') yield rest
}
