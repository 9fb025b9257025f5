// Files of one day of one market, as the daily export makes them, and its row of the catalog.
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { FileKind } from '#history/files/fileStore'
import { marketId, row, startMs, wanderingTape } from './world.ts'

interface BookData {
  bids: { price: number; size: number }[]
  asks: { price: number; size: number }[]
}
interface TradeRow {
  id: string
  price: number
  shares: number
  type: 'Buy' | 'Sell'
}

const date = new Date(startMs).toISOString().slice(0, 10)

/** Returns the options that read them. */
export async function writeDayFiles(folder: string, rows: number): Promise<{ files: string; catalog: string }> {
  const frames = wanderingTape(rows)
  const books = frames.filter(({ kind }) => kind === 'book')
  const trades = frames.filter(({ kind }) => kind === 'trade')
  const levels = books.map(({ data }) => data as BookData)
  await writeFileOf(folder, 'tob', books.length, [
    column(
      'outcomeId',
      'STRING',
      books.map(() => marketId),
    ),
    column(
      'ts',
      'INT64',
      books.map(({ at }) => BigInt(at)),
    ),
    column(
      'bid',
      'DOUBLE',
      levels.map(({ bids }) => bids[0]!.price),
    ),
    column(
      'bidSize',
      'DOUBLE',
      levels.map(({ bids }) => bids[0]!.size),
    ),
    column(
      'ask',
      'DOUBLE',
      levels.map(({ asks }) => asks[0]!.price),
    ),
    column(
      'askSize',
      'DOUBLE',
      levels.map(({ asks }) => asks[0]!.size),
    ),
    column(
      'recvTs',
      'INT64',
      books.map(({ at }) => BigInt(at + 5)),
    ),
    column(
      'seq',
      'INT32',
      books.map((_, i) => i),
    ),
  ])
  const traded = trades.map(({ data }) => data as unknown as TradeRow)
  await writeFileOf(folder, 'trades', trades.length, [
    column(
      'outcomeId',
      'STRING',
      trades.map(() => marketId),
    ),
    column(
      'ts',
      'INT64',
      trades.map(({ at }) => BigInt(at)),
    ),
    column(
      'tradeId',
      'STRING',
      traded.map(({ id }) => id),
    ),
    column(
      'price',
      'DOUBLE',
      traded.map(({ price }) => price),
    ),
    column(
      'size',
      'DOUBLE',
      traded.map(({ shares }) => shares),
    ),
    column(
      'side',
      'STRING',
      traded.map(({ type }) => type.toLowerCase()),
    ),
    column(
      'transactionHash',
      'STRING',
      traded.map(() => null),
    ),
    column(
      'recvTs',
      'INT64',
      trades.map(({ at }) => BigInt(at + 5)),
    ),
  ])
  const catalog = join(folder, 'catalog.json')
  const resolutionDate = new Date(startMs + rows * 900).toISOString()
  await writeFile(catalog, JSON.stringify({ success: true, data: [row({ status: 'resolved', resolutionDate })] }))
  return { files: folder, catalog }
}

const column = (name: string, type: 'STRING' | 'INT64' | 'INT32' | 'DOUBLE', data: unknown[]) => ({ name, type, data })

async function writeFileOf(
  folder: string,
  kind: FileKind,
  rows: number,
  columnData: ReturnType<typeof column>[],
): Promise<void> {
  const bytes = Buffer.from(parquetWriteBuffer({ columnData }))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const place = join(folder, date, 'kalshi')
  await mkdir(place, { recursive: true })
  await writeFile(join(place, `${kind}-${sha256.slice(0, 32)}.parquet`), bytes)
  const manifest = { date, venue: 'kalshi', kind, size: bytes.length, sha256, rows, madeAt: new Date().toISOString() }
  await writeFile(join(place, `${kind}.json`), JSON.stringify(manifest))
}
