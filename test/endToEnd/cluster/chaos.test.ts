// The long drill: two processes of every role over three brokers, killed, suspended, stopped and started at random, as are the brokers and
// the network in front of them. Once a second every gateway's responses and its subscribers' frames are checked. At the end the rows of the
// tape are counted. CROSSBOOK_CHAOS_MINUTES sets the duration (60), CROSSBOOK_TEST_SEED the sequence, CROSSBOOK_CHAOS_LOGS the folder for
// the processes' logs, CROSSBOOK_CHAOS_ROLES the roles whose processes are disturbed (all), CROSSBOOK_CHAOS_PACE how many times as often.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tradeFields } from '#lab/kalshi/rows'
import { createPrng } from '#lab/prng'
import { injectFaults } from '#test/support/cluster/chaos/injectFaults'
import { Witness } from '#test/support/cluster/chaos/observer'
import { Truth, type WatchedBook } from '#test/support/cluster/chaos/truth'
import { eventually } from '#test/support/cluster/client'
import { type Cluster, startCluster } from '#test/support/cluster/cluster'
import { labVenues, openMarkets, upstreamOf, whilePaused } from '#test/support/cluster/labTruth'
import { matchedClusters } from '#test/support/cluster/matched'
import {
  accountOfClickhouse,
  accountOfKafka,
  checksum,
  differences,
  explainDifferences,
  momentsOf,
  type TapeAccount,
  total,
} from '#test/support/cluster/tapeAccount'
import { hasKafka } from '#test/support/kafka/installed'

const isLong = process.env.CROSSBOOK_TEST_LONG === '1'
const seed = process.env.CROSSBOOK_TEST_SEED ?? `chaos-${Date.now()}`
const minutes = Number(process.env.CROSSBOOK_CHAOS_MINUTES ?? 60)
const logFolder = process.env.CROSSBOOK_CHAOS_LOGS
const roles = (process.env.CROSSBOOK_CHAOS_ROLES ?? 'ingest,tape,compute,gateway').split(',')
const pace = Number(process.env.CROSSBOOK_CHAOS_PACE ?? 1)
const random = createPrng(seed)
const checkMs = 1_000
/** Between a row and its coverage: the transfer, and the difference of two clocks. */
const toleranceMs = 500

const processNames = [
  'ingestA',
  'ingestB',
  'tapeA',
  'tapeB',
  'computeA',
  'computeB',
  'gatewayA',
  'gatewayB',
  'jobs',
] as const
type Name = (typeof processNames)[number]

describe.runIf(isLong && hasKafka)('two of every role', () => {
  let cluster: Cluster<Name>
  let truth: Truth
  let books: WatchedBook[]
  const wrongAnswers: string[] = []
  let beganAt = 0
  const reportWrong = (what: string): void => {
    wrongAnswers.push(`${((performance.now() - beganAt) / 1_000).toFixed(1)} ${what}`)
  }

  beforeAll(async () => {
    console.info(`seed ${seed}, ${minutes} minutes`)
    cluster = await startCluster({
      seed,
      ratePerSecond: 2,
      brokers: 3,
      proxied: processNames,
      // A broker may be down meanwhile.
      readyDeadlineMs: 180_000,
      ...(logFolder === undefined ? {} : { logFolder }),
      processes: Object.fromEntries(processNames.map((name) => [name, name.replace(/[AB]$/, '')])) as Record<
        Name,
        string
      >,
      // The pins stay as they are: another walk might find other markets more active.
      env: { CROSSBOOK_CATALOG_INTERVAL_MS: '86400000', CROSSBOOK_ARBITRAGE_INTERVAL_MS: '1000' },
    })
    books = labVenues.flatMap((venue) =>
      [0, 1, 5].map((place) => ({ venue, marketId: openMarkets(cluster.lab, venue)[place]! })),
    )
    truth = new Truth(cluster.lab, books)
    await eventually(
      async () => expect((await matchedClusters(cluster.postgres.url)).length).toBeGreaterThan(40),
      60_000,
    )
  }, 300_000)
  afterAll(async () => {
    truth?.stop()
    await cluster?.stop()
  }, 120_000)

  it(
    `survive ${minutes} minutes of kills, sleeps and restarts`,
    async () => {
      const { processes } = cluster
      const pairs = (['ingest', 'tape', 'compute', 'gateway'] as const)
        .filter((role) => roles.includes(role))
        .map((role) => [processes[`${role}A`], processes[`${role}B`]])
      beganAt = performance.now()
      const drill = injectFaults({ random, roles: pairs, kafka: cluster.kafka, sleepMaxMs: 60_000 / pace, pace })
      const witnesses = [processes.gatewayA, processes.gatewayB].map(
        (gateway) =>
          new Witness({
            gateway,
            apiKey: cluster.apiKey,
            truth,
            books,
            calmSince: () => drill.calmSince(gateway),
            onWrong: reportWrong,
          }),
      )
      let failure: unknown = null
      const timer = setInterval(() => {
        for (const each of witnesses)
          each.look().catch((error: unknown) => {
            failure ??= error
          })
      }, checkMs)
      try {
        const endAt = performance.now() + minutes * 60_000
        await eventually(
          () => {
            expect(failure).toBeNull()
            expect(performance.now()).toBeGreaterThan(endAt)
          },
          minutes * 60_000 + 60_000,
        )
        await drill.end()
        const before = witnesses.map(({ seq }) => seq)
        await whilePaused(cluster.lab, async () => {
          for (const each of witnesses) await each.converges()
        })
        await eventually(() => {
          for (const [i, each] of witnesses.entries())
            expect(each.seq, 'the surface continues').toBeGreaterThan(before[i]!)
        }, 60_000)
        expect(failure).toBeNull()
      } finally {
        clearInterval(timer)
        await drill.end().catch((error: unknown) => {
          failure ??= error
        })
        for (const each of witnesses) console.info(JSON.stringify([each.counts, each.close()]))
        console.info(`seed ${seed}\n${drill.log.join('\n')}\n${wrongAnswers.slice(0, 200).join('\n')}`)
      }
      expect(wrongAnswers.slice(0, 20), `${wrongAnswers.length} wrong answers, seed ${seed}`).toEqual([])
      for (const { counts } of witnesses) {
        expect(counts.fresh).toBeGreaterThan(counts.served / 4)
        expect(counts.rows).toBeGreaterThan(0)
      }
      expect(failure).toBeNull()
    },
    (minutes + 15) * 60_000,
  )

  it('the tape has each row of the bus exactly once, and every missing trade of the venue falls into a reported gap', async () => {
    await whilePaused(cluster.lab, async () => {
      let produced: (TapeAccount & { fenced: number }) | null = null
      let stored: TapeAccount | null = null
      const receivedUntil = Date.now()
      await eventually(async () => {
        produced = await accountOfKafka(cluster.kafka.brokers, { receivedUntil })
        stored = await accountOfClickhouse(cluster.clickhouse.url, { receivedUntil })
        const found = {
          topOfBook: differences(produced.topOfBook, stored.topOfBook),
          trades: differences(produced.trades, stored.trades),
          storedTwice: [...stored.trades].filter(([, times]) => times > 1).slice(0, 10),
        }
        console.info(`${total(stored.topOfBook)} rows, ${total(stored.trades)} trades, ${produced.fenced} fenced`)
        // At once: reading everything again takes minutes.
        console.info(JSON.stringify(found, null, 1))
        expect(found, `seed ${seed}`).toEqual({ topOfBook: [], trades: [], storedTwice: [] })
        expect(checksum(stored.topOfBook)).toBe(checksum(produced.topOfBook))
      }, 600_000).catch(async (error: unknown) => {
        const stores = { brokers: cluster.kafka.brokers, url: cluster.clickhouse.url }
        if (produced !== null && stored !== null)
          console.info((await explainDifferences(stores, produced.topOfBook, stored.topOfBook)).join('\n'))
        throw error
      })
      expect(await unexplained(), `seed ${seed}`).toEqual([])
    })
  }, 1_800_000)

  /** Trades of Kalshi that the tape lacks although its coverage reports no gap that contains them. */
  async function unexplained(): Promise<string[]> {
    const { lab, clickhouse } = cluster
    const { trades } = await accountOfClickhouse(clickhouse.url)
    const { rows, coverage: coverageRows } = await momentsOf(clickhouse.url, 'kalshi')
    const found: string[] = []
    let missing = 0
    const watched = lab.kalshi.listing.markets.filter(({ ticker }) => upstreamOf(lab, 'kalshi', ticker) > 0)
    for (const market of watched) {
      const ofMarket = <T extends { outcomeId: string }>(all: T[]): T[] =>
        all.filter(({ outcomeId }) => outcomeId === market.ticker)
      const [arrivals, coverage] = [ofMarket(rows), ofMarket(coverageRows)]
      const resumptions = coverage.filter(({ isOn }) => isOn)
      const made = lab.kalshi.engine.market(market.key)!.trades
      const isTaped = (trade: (typeof made)[number]): boolean =>
        trades.has(`kalshi ${market.ticker} ${tradeFields(market, trade).trade_id}`)
      const first = made.findIndex(isTaped)
      for (const trade of first < 0 ? [] : made.slice(first)) {
        if (isTaped(trade)) continue
        missing++
        if (coverage.findLast(({ at }) => at <= trade.atMs + toleranceMs)?.isOn === false) continue
        // A killed process does not report its gap: it counts as one if nothing came until another process continues.
        const again = resumptions.find(({ at }) => at >= trade.atMs)
        const until = (again?.at ?? Number.POSITIVE_INFINITY) - toleranceMs
        const between = arrivals.find(({ at }) => at > trade.atMs + toleranceMs && at < until)
        if (again === undefined || between !== undefined)
          found.push(
            `${market.ticker}: continues ${(again?.at ?? 0) - trade.atMs}, came ${(between?.at ?? 0) - trade.atMs}`,
          )
      }
    }
    console.info(`${missing} trades of ${watched.length} markets fell into gaps`)
    return found
  }

  it('every process exits with code 0 on a signal', async () => {
    const codes = await Promise.all(
      Object.values(cluster.processes).map(async (process) => [process.name, await process.stop()]),
    )
    expect(codes.filter(([, code]) => code !== 0)).toEqual([])
  })
})
