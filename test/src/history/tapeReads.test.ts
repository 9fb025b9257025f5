import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { createClickhouseTape } from '#history/clickhouseTape'
import { renderPage } from '#history/formats'
import type { ReplayQuery } from '#history/tape'
import { answersWithinMs, withDeadline } from '#history/tapeReads'
import { connectTape } from '#storage/clickhouse/client'

it('rejects a read of a hanging store with a retryable error in time, and cancels its statement', async () => {
  const clock = new ManualClock()
  const signals: (AbortSignal | undefined)[] = []
  const hang = (_sql: string, _parameters?: unknown, signal?: AbortSignal) => {
    signals.push(signal)
    return new Promise<never>(() => undefined)
  }
  const reads = withDeadline({ stream: hang, rows: hang }, clock)
  const answers = [reads.stream('a'), reads.rows('b', {}, new AbortController().signal)]
  clock.advance(answersWithinMs - 1)
  expect(signals.map((signal) => signal?.aborted)).toEqual([false, false])
  clock.advance(1)
  for (const answer of answers) await expect(answer).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' })
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true])
  expect(clock.pendingCount).toBe(0)
})

it('does not time out a stream that has begun, and cancels the statement when the reader stops', async () => {
  const clock = new ManualClock()
  const leave = new AbortController()
  let given: AbortSignal | undefined
  async function* chunks() {
    yield Buffer.from('a')
    clock.advance(10 * answersWithinMs)
    yield Buffer.from('b')
  }
  const reads = withDeadline(
    {
      stream: async (_sql, _parameters, signal) => {
        given = signal
        return chunks()
      },
      rows: async () => [],
    },
    clock,
  )
  const seen: string[] = []
  for await (const chunk of await reads.stream('a', {}, leave.signal)) seen.push(String(chunk))
  expect([seen, given?.aborted]).toEqual([['a', 'b'], false])
  leave.abort()
  expect(given?.aborted).toBe(true)
})

/** An engine that sends a 200 header and `body`, and then ends the response or cuts the connection. */
async function failingEngine(body: string, ending: 'ends' | 'cut') {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'transfer-encoding': 'chunked' })
    response.write(body, () => (ending === 'ends' ? response.end() : response.socket?.destroy()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const store = await connectTape({ url: `http://127.0.0.1:${port}`, dataDir: '' })
  return {
    tape: createClickhouseTape(store),
    async stop() {
      await store.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

const query: ReplayQuery = {
  venue: 'kalshi',
  outcomeIds: ['A'],
  kind: 'tob',
  sinceMs: 0,
  untilMs: 1,
  limit: 10,
  after: null,
  signal: new AbortController().signal,
}

describe.each([
  ['cut after its first bytes', 'x', 'cut'],
  ['ended with an error where a row should be', 'Code: 394. DB::Exception: Query was cancelled\n', 'ends'],
] as const)('a ClickHouse response that is %s', (_, body, ending) => {
  it.each(['ndjson', 'csv', 'parquet'] as const)(
    'returns a retryable error that names ClickHouse, as %s',
    async (format) => {
      const { tape, stop } = await failingEngine(body, ending)
      try {
        const lines = format === 'parquet' ? null : format
        const read = async () => {
          const page = await tape.replay({ ...query, lines })
          const { chunks } = await renderPage(tape, format, query, page, () => 'next')
          for await (const _ of chunks);
        }
        await expect(read()).rejects.toMatchObject({
          code: 'HISTORY_UNAVAILABLE',
          message: expect.stringContaining('ClickHouse'),
        })
      } finally {
        await stop()
      }
    },
  )

  it('returns a retryable error for arbitrage history and single reads, too', async () => {
    const { tape, stop } = await failingEngine(body, ending)
    try {
      const { signal } = query
      const arbitrageQuery = { sinceMs: 0, untilMs: 1, venue: null, clusterId: null, limit: 10, after: null, signal }
      const read = async () => {
        for await (const _ of (await tape.replayArbitrage(arbitrageQuery)).chunks);
      }
      await expect(read()).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' })
      await expect(tape.findTrades('kalshi', 'A', { limit: 1 })).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' })
    } finally {
      await stop()
    }
  })
})
