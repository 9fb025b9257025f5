// A page of the tape in the requested format. NDJSON is streamed, with its cursor in the last line. CSV and Parquet have no place for the cursor, so
// it goes in headers and the page is buffered before its first byte is sent: at most `replayRowsMax` rows plus those that share the last one's key.
import type { z } from 'zod'
import { CandleLine, DepthLine, TopOfBookLine, TradeLine } from '#schemas/history'
import type { MarketHistory, ReplayFormat, ReplayKind, ReplayPage, ReplayPosition, ReplayQuery } from './tape.ts'

export interface Rendered {
  contentType: string
  chunks: AsyncIterable<Uint8Array>
  headers: Readonly<Record<string, string>>
}

export const contentTypes = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
} as const satisfies Record<ReplayFormat, string>

const columnsOf = ({ shape }: z.ZodObject): readonly string[] => Object.keys(shape).filter((name) => name !== 'k')

/** Columns of CSV: the fields of a line without `k`, which the request named. */
export const fieldsOf: Readonly<Record<ReplayKind, readonly string[]>> = {
  tob: columnsOf(TopOfBookLine),
  trades: columnsOf(TradeLine),
  candles: columnsOf(CandleLine),
  l2: columnsOf(DepthLine),
}

/** Columns of a page as Parquet: a file also names its venue and outcome. */
export const parquetColumnsOf = (kind: ReplayKind): readonly string[] => {
  const [time, ...rest] = fieldsOf[kind] as [string, ...string[]]
  return [time, 'venue', 'outcomeId', ...rest.filter((name) => name !== 'venue' && name !== 'outcomeId')]
}

/** For a file of a whole day, which has one venue and many outcomes. */
export const fileColumnsOf = (kind: ReplayKind): readonly string[] => [
  'outcomeId',
  ...fieldsOf[kind].filter((name) => name !== 'outcomeId' && name !== 'venue'),
]

/** For documentation: `tob: ts, bid, …; trades: …`. */
export const columnWords = (kinds: readonly ReplayKind[], of: (kind: ReplayKind) => readonly string[]): string =>
  kinds.map((kind) => `${kind}: ${of(kind).join(', ')}`).join('; ')

type EncodeCursor = (position: ReplayPosition) => string

export function renderPage(
  tape: Pick<MarketHistory, 'replayParquet'>,
  format: ReplayFormat,
  query: ReplayQuery,
  page: ReplayPage,
  encode: EncodeCursor,
): Rendered | Promise<Rendered> {
  switch (format) {
    case 'ndjson':
      return { contentType: contentTypes.ndjson, chunks: withCursorLine(page, encode), headers: {} }
    case 'csv':
      return renderCsv(query, page, encode)
    case 'parquet':
      return renderParquet(tape, query, page, encode)
  }
}

export async function* withCursorLine(page: ReplayPage, encode: EncodeCursor): AsyncGenerator<Uint8Array> {
  yield* page.chunks
  const { rows, last, more } = await page.end
  const next = more && last !== null ? encode(last) : null
  yield Buffer.from(`${JSON.stringify({ k: 'cursor', next, rows })}\n`)
}

async function headersOf(page: ReplayPage, encode: EncodeCursor): Promise<Record<string, string>> {
  const { rows, last, more } = await page.end
  return { 'x-page-rows': String(rows), ...(more && last !== null ? { 'x-next-cursor': encode(last) } : {}) }
}

async function renderCsv({ kind }: ReplayQuery, page: ReplayPage, encode: EncodeCursor): Promise<Rendered> {
  const parts: Uint8Array[] = [Buffer.from(`${fieldsOf[kind].join(',')}\n`)]
  for await (const chunk of page.chunks) parts.push(chunk)
  return { contentType: contentTypes.csv, chunks: passed(parts), headers: await headersOf(page, encode) }
}

/** One pass over the page finds where it ends; the engine then writes the rows up to there. */
async function renderParquet(
  tape: Pick<MarketHistory, 'replayParquet'>,
  query: ReplayQuery,
  page: ReplayPage,
  encode: EncodeCursor,
): Promise<Rendered> {
  for await (const _ of page.chunks);
  const { last } = await page.end
  const chunks = await tape.replayParquet(query, last ?? nowhere)
  return { contentType: contentTypes.parquet, chunks, headers: await headersOf(page, encode) }
}

/** For an empty page: a file with columns and no rows. */
const nowhere: ReplayPosition = { ts: 0, tie: '0.0' }

async function* passed(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts
}
