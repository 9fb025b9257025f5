// Counts the rows of the tape twice: those in Kafka, read by a plain consumer from the first offset, and those in ClickHouse. Both must be
// the same rows with the same counts; rows that a former owner of a venue sent after its successor are counted separately, and rows that
// were sent twice are counted once.
import { createHash } from 'node:crypto'
import { Kafka, logLevel } from 'kafkajs'
import { topics } from '#schemas/topics'
import { microsPerTick, noTick, sizeUnits, unitsPerHundredth } from '#storage/clickhouse/columnBuffers'
import { decodeValue } from '#storage/kafka/codec'
import { registerCompression } from '#storage/kafka/compression'
import { Fence } from '#storage/kafka/fence'
import { Sequence } from '#storage/kafka/sequence'

/**
 * Row as text → number of occurrences. A row of the top of book has the time of its receipt: a book that is subscribed to again records its
 * state once more, which is another row, whereas a row that was sent or stored twice has the same time.
 */
export type Rows = Map<string, number>

export interface TapeAccount {
  topOfBook: Rows
  /** `venue outcome tradeId`. */
  trades: Rows
}

const count = (rows: Rows, row: string): void => void rows.set(row, (rows.get(row) ?? 0) + 1)

const price = (micros: number | null): string => (micros === null ? '-' : String(micros))
const size = (contracts: number): number => Math.round(contracts * sizeUnits)

export interface AccountOptions {
  /**
   * Rows received later are not counted, epoch ms. Books are subscribed to again after a silence, also while the lab is paused, and their
   * unchanged state is recorded once more: without this bound the later of two accounts has more rows.
   */
  receivedUntil?: number
  /** Called for every row of the top of book, with where it is and why it is not counted. */
  onTopOfBook?(row: string, position: string): void
}

/** Everything on the tape topic up to its current end. `fenced`: rows that are not to be stored. */
export async function accountOfKafka(
  brokers: readonly string[],
  { receivedUntil = Number.POSITIVE_INFINITY, onTopOfBook = () => undefined }: AccountOptions = {},
): Promise<TapeAccount & { fenced: number }> {
  registerCompression()
  const kafka = new Kafka({ clientId: 'account', brokers: [...brokers], logLevel: logLevel.NOTHING })
  const admin = kafka.admin()
  const groupId = `account-${process.pid}-${performance.now()}`
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 50 })
  const account = { topOfBook: new Map<string, number>(), trades: new Map<string, number>(), fenced: 0 }
  const fences = new Map<number, Fence>()
  const sequences = new Map<number, Sequence>()
  const topic = topics.tape.name
  try {
    await admin.connect()
    const missing = new Map(
      (await admin.fetchTopicOffsets(topic))
        .filter(({ high, low }) => BigInt(high) > BigInt(low))
        .map(({ partition, high }) => [partition, BigInt(high)]),
    )
    if (missing.size === 0) return account
    await consumer.connect()
    await consumer.subscribe({ topic, fromBeginning: true })
    await new Promise<void>((resolve, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error))
      consumer
        .run({
          autoCommit: false,
          eachMessage: async ({ partition, message }) => {
            const end = missing.get(partition)
            if (end === undefined || BigInt(message.offset) >= end) return
            const sequence = sequences.get(partition) ?? new Sequence('')
            sequences.set(partition, sequence)
            const isFirst = sequence.admits(message.headers)
            const batch = decodeValue('tape', message.value!)
            const fence = fences.get(partition) ?? new Fence('')
            fences.set(partition, fence)
            const isCurrent = fence.admits(batch)
            const admitted = isFirst && isCurrent
            if (isFirst && !isCurrent)
              account.fenced += batch.topOfBook.length + batch.trades.length + batch.books.length
            const why = isFirst ? (isCurrent ? '' : ' fenced') : ' repeated'
            for (const row of batch.topOfBook) {
              const bid = `${price(row.bidMicros)}x${size(row.bidSize)}`
              const ask = `${price(row.askMicros)}x${size(row.askSize)}`
              const text = `${row.venue} ${row.outcomeId} ${row.ts} received ${row.recvTs} ${bid} ${ask}`
              onTopOfBook(text, `${partition}:${message.offset} n=${message.headers?.n} epoch=${batch.epoch}${why}`)
              if (admitted && row.recvTs <= receivedUntil) count(account.topOfBook, text)
            }
            for (const row of admitted ? batch.trades.filter(({ recvTs }) => recvTs <= receivedUntil) : [])
              count(account.trades, `${row.venue} ${row.outcomeId} ${row.tradeId}`)
            if (BigInt(message.offset) + 1n === end) missing.delete(partition)
            if (missing.size === 0) resolve()
          },
        })
        .catch(reject)
    })
    return account
  } finally {
    await consumer.disconnect()
    await admin.disconnect()
  }
}

export async function accountOfClickhouse(
  url: string,
  { receivedUntil, onTopOfBook = () => undefined }: AccountOptions = {},
): Promise<TapeAccount> {
  const where = receivedUntil === undefined ? '' : `WHERE toInt64(ts) + recv_delay <= ${receivedUntil}`
  const account: TapeAccount = { topOfBook: new Map(), trades: new Map() }
  type TopOfBook = [
    string,
    string,
    string,
    string,
    number,
    number,
    string,
    number,
    number,
    number,
    string,
    number,
    string,
  ]
  const side = (tick: number, fine: number, hundredths: string, sizeFine: number): string =>
    `${price(tick === noTick ? null : tick * microsPerTick + fine)}x${Number(hundredths) * unitsPerHundredth + sizeFine}`
  const tob = await query<TopOfBook>(
    url,
    `SELECT venue, outcome_id, toString(ts), toString(toInt64(ts) + recv_delay), bid, bid_fine, toString(bid_size), bid_size_fine,
       ask, ask_fine, toString(ask_size), ask_size_fine, concat('part ', _part) FROM top_of_book ${where}`,
  )
  for (const row of tob) {
    const [venue, outcome, ts, received, bid, bidFine, bidSize, bidSizeFine, ask, askFine, askSize, askSizeFine, at] =
      row
    const sides = `${side(bid, bidFine, bidSize, bidSizeFine)} ${side(ask, askFine, askSize, askSizeFine)}`
    const text = `${venue} ${outcome} ${ts} received ${received} ${sides}`
    onTopOfBook(text, at)
    count(account.topOfBook, text)
  }
  const trades = await query<[string, string, string]>(url, `SELECT venue, outcome_id, trade_id FROM trades ${where}`)
  for (const [venue, outcome, tradeId] of trades) count(account.trades, `${venue} ${outcome} ${tradeId}`)
  return account
}

export interface TapedMoment {
  outcomeId: string
  /** Receive time, epoch ms. */
  at: number
}

/** When rows of a venue arrived, and when its coverage reported the tape of an outcome as running or interrupted; both in order of time. */
export async function momentsOf(
  url: string,
  venue: string,
): Promise<{ rows: TapedMoment[]; coverage: (TapedMoment & { isOn: boolean })[] }> {
  const moments = async (sql: string): Promise<(TapedMoment & { isOn: boolean })[]> =>
    (await query<[string, string, number]>(url, sql)).map(([outcomeId, at, isOn]) => ({
      outcomeId,
      at: Number(at),
      isOn: isOn === 1,
    }))
  return {
    rows: await moments(
      `SELECT outcome_id, toString(at), 1 FROM (
         SELECT outcome_id, toInt64(ts) + recv_delay AS at FROM top_of_book WHERE venue = '${venue}'
         UNION ALL SELECT outcome_id, toInt64(ts) + recv_delay AS at FROM trades WHERE venue = '${venue}'
       ) ORDER BY at`,
    ),
    coverage: await moments(
      `SELECT outcome_id, toString(at), kind IN ('opened', 'resumed') FROM coverage WHERE venue = '${venue}' ORDER BY at, kind`,
    ),
  }
}

async function query<T>(url: string, sql: string): Promise<T[]> {
  const response = await fetch(url, { method: 'POST', body: `${sql} FORMAT JSONCompactEachRow` })
  const text = await response.text()
  if (!response.ok) throw new Error(text.slice(0, 500))
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as T)
}

/** Rows that ClickHouse has acknowledged so far. */
export async function tapeRows(url: string): Promise<number> {
  const [row] = await query<[string]>(url, 'SELECT toString(count()) FROM top_of_book')
  return Number(row?.[0] ?? 0)
}

export const total = (rows: Rows): number => [...rows.values()].reduce((sum, times) => sum + times, 0)

export function checksum(rows: Rows): string {
  const hash = createHash('sha256')
  for (const row of [...rows.keys()].sort()) hash.update(`${row}*${rows.get(row)}\n`)
  return hash.digest('hex')
}

/** The differences, short enough for a failure message; empty when both are the same. */
export function differences(produced: Rows, stored: Rows): string[] {
  const found: string[] = []
  for (const row of new Set([...produced.keys(), ...stored.keys()])) {
    const [want, have] = [produced.get(row) ?? 0, stored.get(row) ?? 0]
    if (want !== have) found.push(`${row}: produced ${want}, stored ${have}`)
  }
  return found.length > 10 ? [...found.slice(0, 10), `… ${found.length} in all`] : found
}

/** Where the first few rows that differ are in Kafka and in ClickHouse: the evidence for a failed comparison. */
export async function explainDifferences(
  { brokers, url }: { brokers: readonly string[]; url: string },
  produced: Rows,
  stored: Rows,
): Promise<string[]> {
  const different = [...new Set([...produced.keys(), ...stored.keys()])]
    .filter((row) => (produced.get(row) ?? 0) !== (stored.get(row) ?? 0))
    .slice(0, 20)
  const places = new Map(different.map((row) => [row, [] as string[]]))
  const note = (row: string, position: string): void => void places.get(row)?.push(position)
  await accountOfKafka(brokers, { onTopOfBook: (row, position) => note(row, `kafka ${position}`) })
  await accountOfClickhouse(url, { onTopOfBook: (row, position) => note(row, `clickhouse ${position}`) })
  return [...places].map(([row, found]) => `${row}: ${found.join('; ')}`)
}
