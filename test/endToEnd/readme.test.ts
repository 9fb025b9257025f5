// The README's first page, run as printed: its shell blocks against a real `npm run demo`, with only the port and the data folder moved.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ArbitrageRow } from '#schemas/arbitrage'
import type { StructureRow } from '#schemas/structures'
import { sampleOf } from '#test/support/docs/samples'
import { isLong } from '#test/support/shortRuns'
import { describeMetrics } from './metricsText.ts'
import { blocksIn, type PrintedDemo, root, startPrintedDemo } from './printedDemo.ts'
import { blocks, expectTour, readme, takeBlock } from './tour.ts'

const page = (name: string): string => readFileSync(join(root, `docs/${name}.md`), 'utf8')
const arbitragePage = page('arbitrage')
const across = blocksIn(arbitragePage)[0]!
const order = blocksIn(page('quick-start-trading'))[0]!
const feeds = blocksIn(page('feeds'))[0]!
const traders = blocksIn(page('traders'))[0]!
const structuresPage = blocksIn(page('structures'))[0]!
const pendingFills = blocksIn(page('pending-fills'))[0]!
const bridge = blocksIn(page('bridge'))[0]!

let demo: PrintedDemo
beforeAll(async () => {
  demo = await startPrintedDemo()
}, 90_000)
afterAll(() => demo.stop(), 30_000)

const take = (block: string): Promise<string[]> => takeBlock(demo, block)

describe('the README', () => {
  it('names two commands that are scripts of this package', () => {
    const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts as Record<string, string>
    expect(blocks[0]!.trim().split('\n')).toEqual(['npm ci && npm run demo', 'npm ci && npm test'])
    expect(Object.keys(scripts)).toContain('test')
    for (const [, name] of readme.matchAll(/npm run ([a-z:-]+)/g)) expect(Object.keys(scripts), name).toContain(name)
  })

  it('shows the line that the demo prints, and existing folders', () => {
    const shown = sampleOf('README.md', 'crossbook ready')
    const names = Object.keys(JSON.parse(shown.slice(shown.indexOf('{'))))
    expect(Object.keys(demo.ready)).toEqual(names)
    for (const name of ['apiKey', 'stream']) expect(demo.ready[name]).toMatch(/^(xb_test_|ws:\/\/.*\/v1\/stream$)/)
    const folders = sampleOf('README.md', 'schemas/').trimEnd().split('\n')
    expect(folders.length).toBeGreaterThan(3)
    for (const line of folders) expect(existsSync(join(root, line.split(' ')[0]!)), line).toBe(true)
  })

  it('shows a book, its complement, a watch, raw frames, a replay and the venues, exactly as printed', async () => {
    await expectTour(demo)
  }, 90_000)

  it('docs/arbitrage.md shows the surface as a table, a row over HTTP, its history and a match, exactly as printed', async () => {
    await vi.waitFor(
      async () => {
        const [table] = await take('npx crossbook arb --once --limit 1')
        expect(table).toMatch(/[1-9]\d* rows/)
      },
      { timeout: 60_000, interval: 1_000 },
    )
    const [table, arbitrage, history, structures, matches] = await take(across)
    expect(table).toMatch(/EDGE \$.*BUY YES.*BUY NO/)
    const [row] = JSON.parse(arbitrage!).data
    expect(row).toMatchObject({ executable: true, resolutionEquivalence: 'verified', matchBand: 'verified' })
    const explained = [...arbitragePage.matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|/gm)].flatMap(([, names]) =>
      [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
    )
    for (const field of Object.keys(row)) {
      expect(
        explained.some((name) => name === field || name.startsWith(`${field}.`)),
        field,
      ).toBe(true)
    }
    const lines = history!
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({ k: 'arbitrage', best: { executable: true } })
    expect(JSON.parse(structures!)).toMatchObject({ data: expect.any(Array), meta: { sets: expect.any(Number) } })
    expect(JSON.parse(matches!).data).toHaveLength(1)
  }, 150_000)

  it('docs/quick-start-trading.md takes an order from build to fill and reports it by webhook, exactly as printed', async () => {
    const [, walk, receiverOutput, venues, executions, fills] = await take(order)
    const [built, submitted, filled] = walk!.trim().split('\n')
    expect(built).toMatch(/^built [0-9a-f-]{36} built true$/)
    expect(submitted).toMatch(/^submitted (acked|filled) true$/)
    expect(filled).toMatch(/^filled \[\{/)
    const verified = receiverOutput!.trim().split('\n')
    expect(verified.shift()).toMatch(/^listening [0-9a-f-]{36}$/)
    const transitions = verified.map((line) => JSON.parse(line.replace('verified execution.status.changed ', '')))
    expect(new Set(transitions.map(({ executionId }) => executionId))).toEqual(new Set([built!.split(' ')[1]]))
    expect(transitions.map(({ status }) => status)).toEqual(expect.arrayContaining(['submitted', 'filled']))
    const armed = JSON.parse(venues!).data.filter((lane: { armed: boolean }) => lane.armed)
    // Of the venues that the demo serves.
    expect(armed.map((lane: { venue: string }) => lane.venue).sort()).toEqual(['kalshi', 'polymarket'])
    expect(JSON.parse(executions!).data[0]).toMatchObject({ executionId: built!.split(' ')[1], status: 'filled' })
    expect(JSON.parse(fills!).data[0]).toMatchObject({ executionId: built!.split(' ')[1], venue: 'polymarket' })
  }, 90_000)
})

const address = (): { url: string; apiKey: string; labControl: string } =>
  JSON.parse(readFileSync(join(demo.dataDir, 'runtime.json'), 'utf8'))

describeMetrics(address)

it('docs/quick-start-stream.md watches a book and lists what can be bought, exactly as printed', async () => {
  const output = await demo.shell(blocksIn(page('quick-start-stream')).join('\n'))
  expect(output).toMatch(/^\{"type":"snapshot",.*\n(.*\n)*\{"type":"update",/m)
  expect(output).toMatch(/EDGE \$.*BUY YES.*BUY NO/)
}, 60_000)

it('docs/quick-start-history.md shows what is recorded, its rows as JSON and CSV, and the days, exactly as printed', async () => {
  const [covered, rows, ...more] = (
    await demo.shell(blocksIn(page('quick-start-history')).join("\nprintf '\\n@@\\n'\n"))
  )
    .replace(/^\n@@\n/, '')
    .split('\n@@\n')
  expect(JSON.parse(covered!).data[0]).toMatchObject({ venue: 'kalshi', gaps: expect.any(Array) })
  const printedRows = rows!.trim().split('\n')
  expect(JSON.parse(printedRows[0]!)).toMatchObject({ k: 'tob', bid: expect.anything() })
  expect(printedRows).toContainEqual(expect.stringMatching(/^\{"k":"cursor",/))
  expect(printedRows).toContain('ts,type,side,price,size,recvTs,seq,epoch')
  expect(JSON.parse(more[0]!)).toMatchObject({ success: true, data: expect.any(Array) })
}, 60_000)

it('docs/feeds.md shows the feeds, a price of each, rounds and tickers on the stream, exactly as printed', async () => {
  const [names, pairs, ticker, tickers, round, rounds, book, streamed] = await take(feeds)
  const read = (text: string | undefined) => JSON.parse(text!)
  expect(read(names).data).toEqual(['binance', 'chainlink'])
  expect(read(pairs).data['BTC/USDT']).toMatchObject({ id: 'BTCUSDT' })
  expect(read(ticker).data).toMatchObject({ symbol: 'BTC/USDT', last: expect.any(Number) })
  expect(Object.keys(read(tickers).data)).toEqual(['BTC/USD', 'EUR/USD'])
  expect(read(tickers).data['EUR/USD'].last).toBeGreaterThan(0)
  expect(read(round).data).toMatchObject({ feed: 'BTC/USD', provenance: { source: 'chainlink-onchain' } })
  expect(read(rounds).data).toHaveLength(5)
  expect(read(rounds).meta.asOf).toBe(read(rounds).data[0].asOf)
  expect(read(book).error.code).toBe('NOT_SUPPORTED')
  const lines = streamed!.trim().split('\n').toSorted()
  expect(lines[0]).toMatch(/^binance BTC\/USDT \d+(\.\d+)? binance-(ws|rest) 20/)
  expect(lines[1]).toMatch(/^chainlink BTC\/USD \d+(\.\d+)? chainlink-onchain 20/)
}, 60_000)

// Books move, and a row may be missing for a moment: the block is repeated until everything is present.
it.runIf(isLong)(
  'docs/structures.md shows structures of every kind with live books, and their legs as steps to follow, exactly as printed',
  async () => {
    const everyKind = `curl -s -H "Authorization: Bearer $KEY" "http://127.0.0.1:8080/v1/arbitrage/structures?executableOnly=true&limit=200"`
    await vi.waitFor(
      async () => {
        const rows = JSON.parse((await take(everyKind))[0]!).data as StructureRow[]
        const kinds = new Set(rows.map(({ kind }) => kind))
        expect([...kinds]).toEqual(
          expect.arrayContaining(['implication', 'exclusion', 'partition', 'ladder', 'combination']),
        )
        expect([...kinds]).not.toContain('equality')
        const implied = rows
          .filter(({ kind }) => kind === 'implication')
          .map(({ legs }) => legs.map(({ venue }) => venue))
        expect(implied.map((venues) => venues.sort().join())).toContain('kalshi,polymarket')
        const [first, certain, printed] = await take(structuresPage)
        expect(JSON.parse(first!).data).toHaveLength(5)
        const sure = JSON.parse(certain!).data as StructureRow[]
        expect(new Set(sure.map(({ kind }) => kind))).toEqual(new Set(['implication', 'partition']))
        for (const { executable, edge, worstPayout, capital } of sure) {
          expect(executable).toBe(true)
          expect(edge).toBeGreaterThanOrEqual(0.5)
          expect(worstPayout - capital).toBeCloseTo(edge, 5)
        }
        expect(printed).toMatch(
          /^\* implication: edge \$\d+\.\d\d .*\n {2}1\. buy \S+ (YES|NO) of “.+” \(\S+\) at \$0\.\d+/m,
        )
        expect(printed).toMatch(/\d+ structures, [1-9]\d* executable, computed \d\d:/)
      },
      { timeout: 120_000, interval: 2_000 },
    )
  },
  150_000,
)

// Blocks become final at their own pace: most of a minute.
it.runIf(isLong)(
  'docs/pending-fills.md shows the disclosure, pending fills, and the final state of one, exactly as printed',
  async () => {
    const printedLines = (await demo.shell(pendingFills)).trim().split('\n')
    const [disclosed] = printedLines
    expect(JSON.parse(disclosed!.replace('disclosure ', ''))).toMatchObject({ provenance: 'mempool' })
    expect(printedLines.filter((line) => line.startsWith('disclosure '))).toHaveLength(2)
    for (const line of printedLines.filter((each) => each.startsWith('pending ')))
      expect(line).toMatch(/^pending 0x[0-9a-f]{64}:\d+ (Buy|Sell) \d+(\.\d+)? at \d+(\.\d+)?$/)
    const resolved = printedLines.filter((line) => /^(confirmed|dropped) /.test(line))
    expect(resolved.length).toBeGreaterThanOrEqual(2)
    for (const line of resolved)
      expect(line).toMatch(
        /^(confirmed 0x[0-9a-f]{64}:\d+ \d+|dropped 0x[0-9a-f]{64}:\d+ (timeout|reverted)) after \d+ ms$/,
      )
  },
  150_000,
)

it('docs/traders.md shows who trades, holds and leads, a wallet, its trades and the scored feed, exactly as printed', async () => {
  const responses = (await take(traders)).map((text) => JSON.parse(text))
  const [trades, holders, leaders, scored, wallet, own, smart, none] = responses
  expect(trades.data).toHaveLength(5)
  expect(trades.data[0]).toMatchObject({ venue: 'polymarket', wallet: expect.stringMatching(/^0x[0-9a-f]{40}$/) })
  expect(holders.data[0]).toMatchObject({ shares: expect.any(Number), usdValue: expect.any(Number) })
  expect(leaders.data.map(({ rank, window }: { rank: number; window: string }) => [rank, window])).toEqual([
    [1, 'month'],
    [2, 'month'],
    [3, 'month'],
  ])
  expect(scored).toMatchObject({ success: true, provenance: { source: 'archive' } })
  expect(wallet.data).toMatchObject({
    venue: 'polymarket',
    stats: expect.any(Object),
    refreshState: expect.any(String),
  })
  expect(own.data.every((row: { wallet: string }) => row.wallet === wallet.data.wallet)).toBe(true)
  expect(smart).toMatchObject({ success: true, provenance: { source: 'archive' } })
  expect(none.error.code).toBe('TRADERS_UNSUPPORTED')
}, 60_000)

it('docs/bridge.md brings ten dollars to a venue, exactly as printed', async () => {
  const [quote, session, paid, arrived] = (await demo.shell(bridge))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(quote).toMatchObject({
    success: true,
    data: [{ transactionAmount: '10' }],
    meta: { provenance: { source: 'glide' } },
  })
  expect(session.data).toMatchObject({ paymentAmount: '10', unsignedTransaction: { input: expect.any(String) } })
  expect(session.meta.settlement).toMatchObject({ chain: 'eip155:137', symbol: 'pUSD' })
  expect(paid.data).toEqual({ success: true })
  expect(arrived.data).toMatchObject({ sessionId: session.data.sessionId, sponsoredTransactionStatus: 'success' })
}, 60_000)

it('one decision on a template pair makes a pair of markets executable', async () => {
  const { url, apiKey } = address()
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${url}${path}`, { ...init, headers })
    const text = await response.text()
    expect(response.status, `${path} ${text.slice(0, 300)}`).toBe(200)
    return JSON.parse(text).data
  }
  const templates = '/v1/matching/templates'
  const key = await vi.waitFor(
    async () => {
      const open: { key: string; b: string }[] = await call(`${templates}?limit=500`)
      return open.find(({ b }) => b.includes('on as a trainee'))!.key
    },
    { timeout: 30_000, interval: 500 },
  )
  const [example] = (await call(`${templates}/${key}`)).examples
  const ids = [example.a, example.b].map(({ venue, marketId }) => `${venue}:${marketId}`).sort()
  const rowOf = async (): Promise<ArbitrageRow | undefined> => {
    const rows: ArbitrageRow[] = await call('/api/router/fetchArbitrage?compat=false&limit=1000&executableOnly=true')
    return rows.find(({ legs }) => {
      const legIds = [legs.buyYes, legs.buyNo].map(({ canonicalMarketId }) => canonicalMarketId)
      return legIds.sort().join() === ids.join()
    })
  }
  expect(await rowOf()).toBeUndefined()
  await call(`${templates}/${key}/decide`, { method: 'POST', body: JSON.stringify({ relation: 'identity' }) })
  await vi.waitFor(
    async () => expect(await rowOf()).toMatchObject({ executable: true, matchBand: 'verified', label: 'arbitrage' }),
    { timeout: 60_000, interval: 1_000 },
  )
}, 120_000)
