// The tape, row by row: a page is read as it arrives, and the next one is requested when its last line names it.
import { backoffMs, sleep } from './clock.ts'
import { ConnectionError, CrossbookError } from './errors.ts'
import type { components } from './generated/api.ts'
import type { AnyParams, Params } from './operations.ts'
import type { CallOptions, Opened, Transport } from './transport.ts'

type Schemas = components['schemas']

/** Best bid and ask. Times are epoch milliseconds; null: an empty side, or unknown. */
export type TobRow = Schemas['TopOfBookLine']
export type TradeRow = Schemas['TradeLine']
export type CandleRow = Schemas['CandleLine']
/**
 * A level of the full-depth book. `start`, `snapshot`: the complete book; `delta`: a changed level, removed if `size` is 0; `same`: nothing
 * changed; `gap`: unknown from here on. Rows with the same `recvTs`, `epoch` and `seq` are one change.
 */
export type L2Row = Schemas['DepthLine']
/** A period in which a row of the surface was executable; `best` is the row as it was then. */
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

/** A longer line is not a row. */
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

/** Returns the next page's cursor. An incomplete page is requested again, and the rows already returned are skipped. */
async function* page(
  { settings: { retry, clock, random } }: Transport,
  open: () => Promise<Opened>,
  options: CallOptions,
): AsyncGenerator<Record<string, unknown>, string | null, undefined> {
  let yielded = 0
  for (let attempt = 0; ; attempt++) {
    const opened = await open()
    const lines = linesOf(opened)
    try {
      for (let position = 0; ; ) {
        const row = await rowOf(lines)
        if (row instanceof ConnectionError) {
          if (attempt >= retry.retries) throw row
          break
        }
        if (row.k === 'cursor') return row.next as string | null
        if (position++ < yielded) continue
        yielded++
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
    // The last line names the next page: without it the page is incomplete.
    return done ? new ConnectionError('the page was incomplete') : (JSON.parse(value) as Record<string, unknown>)
  } catch (error) {
    if (error instanceof ConnectionError) return error
    if (error instanceof SyntaxError) return new ConnectionError('a row was incomplete', { cause: error })
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
