// The specification's table of limits, row by row: its numbers are read there and compared with what the routes accept.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { messageBytesMax } from '#arbitrage/frames'
import { heartbeatOf, snapshotEveryMs } from '#arbitrage/updateIntervals'
import { parseLimit, parseWindow } from '#history/replayParams'
import { attemptsMax, attemptTimeoutMs } from '#platform/webhooks/schedule'
import { routes } from '#roles/routes'
import { oracleRoundsMax } from '#schemas/feeds'
import { authDeadlineMs } from '#schemas/stream'
import { filterOf } from '#sports/routes/shapes'

const paths: Readonly<Record<string, readonly RegExp[]>> = {
  'trader lists': [/^\/v1\/traders\/.*(trades|holders|leaderboard|smart-money)$/],
  'open orders': [/\/open-orders$/],
  'execution fills': [/^\/v1\/exec\/\{venue\}\/trades$/],
  'conditional orders': [/^\/v1\/exec\/conditional$/],
  'webhook deliveries': [/\/deliveries$/],
  'sports fixtures': [/^\/v1\/sports\/fixtures$/],
}
const dayMs = 86_400_000

/** The lists that a row names, by how their routes parse a query. */
function listsOf(applies: string) {
  const named = applies.replaceAll(/ \([^)]*\)/g, '').split(/, | and |; /)
  return named.flatMap((name) => {
    const found = routes.filter(
      ({ methods, path, query }) =>
        methods.includes('get') && query !== null && paths[name]?.some((like) => like.test(path)) === true,
    )
    expect(found, name).not.toEqual([])
    return found.map(({ path, query }) => ({
      path,
      limitOf: (limit?: number): number | null => {
        const read = query!.safeParse(limit === undefined ? {} : { limit: String(limit) })
        return read.success ? (read.data as { limit: number }).limit : null
      },
    }))
  })
}
const numbersIn = (value: string): number[] => [...value.matchAll(/\d+(?:\.\d+)?/g)].map(([text]) => Number(text))

type Row = readonly [limit: string, value: string, applies: string]
const checks: Readonly<Record<string, (row: Row) => void>> = {
  'list page size default': ([, value, applies]) => {
    for (const { path, limitOf } of listsOf(applies)) expect([path, limitOf()]).toEqual([path, Number(value)])
  },
  'list page size cap': ([, value, applies]) => {
    const cap = Number(value)
    const clamps = applies.includes('clamped')
    for (const { path, limitOf } of listsOf(applies)) {
      expect([path, limitOf(cap), limitOf(0)]).toEqual([path, cap, null])
      const beyond = limitOf(cap + 1)
      if (clamps) expect([path, beyond, limitOf(1e9)]).toEqual([path, cap, cap])
      else expect([path, beyond]).toEqual([path, null])
    }
  },
  'history replay rows per page': ([, value]) => {
    const [usual, most] = numbersIn(value) as [number, number]
    expect([parseLimit(undefined), parseLimit(String(most))]).toEqual([usual, most])
    expect(() => parseLimit(String(most + 1))).toThrow()
  },
  'history replay window': ([, value]) => {
    const window = (spanMs: number) =>
      parseWindow({ since: '1790000000000', until: String(1_790_000_000_000 + spanMs) })
    const [days] = numbersIn(value) as [number]
    expect(window(days * dayMs).untilMs).toBe(1_790_000_000_000 + days * dayMs)
    expect(() => window(days * dayMs + 1)).toThrow()
  },
  'sports window': ([, value]) => {
    const [days, hoursBefore, daysAhead] = numbersIn(value) as [number, number, number]
    const now = 1_790_000_000_000
    const { from, to } = filterOf({}, now)
    expect([now - from, to - now]).toEqual([hoursBefore * 3_600_000, daysAhead * dayMs])
    expect(filterOf({ from: 0, to: days * dayMs }, now)).toMatchObject({ from: 0, to: days * dayMs })
    expect(() => filterOf({ from: 0, to: days * dayMs + 1 }, now)).toThrow()
    expect(() => filterOf({ from: 5, to: 5 }, now)).toThrow()
  },
  'oracle history rounds': ([, value]) => expect([oracleRoundsMax]).toEqual(numbersIn(value)),
  '`accountId` length': ([, value]) => {
    const [least, most] = numbersIn(value) as [number, number]
    const { params } = routes.find(({ path }) => path.endsWith('/open-orders'))!
    const takes = (length: number) => params!.safeParse({ venue: 'hyperliquid', accountId: 'a'.repeat(length) }).success
    expect([least - 1, least, most, most + 1].map(takes)).toEqual([false, true, true, false])
  },
  'stream first-frame auth deadline': ([, value]) => expect([authDeadlineMs / 1_000]).toEqual(numbersIn(value)),
  'webhook attempt timeout': ([, value]) => expect([attemptTimeoutMs / 1_000, attemptsMax]).toEqual(numbersIn(value)),
  'arbitrage message size': ([, value]) => {
    const [kib, seconds] = numbersIn(value) as [number, number]
    expect([messageBytesMax, snapshotEveryMs, heartbeatOf(3_000)]).toEqual([
      kib * 1_024,
      seconds * 1_000,
      seconds * 1_000,
    ])
  },
}
/** Rows tested in other files, and rows about a venue's own pace. */
const otherTests: Readonly<Record<string, string>> = {
  'Idempotency-Key length': 'test/conformance/conditions.test.ts, and the refusals of every keyed route',
  'conditional order trigger defaults': 'test/src/orders/conditional/routes.test.ts, arming',
  'polymarket pending fills': 'what the venue shows',
  'polymarket_us data staleness': 'what the venue shows',
}

const spec = fileURLToPath(new URL('../../../shared/spec.md', import.meta.url))
describe.skipIf(!existsSync(spec))('limits (skipped where the specification is not next to the project)', () => {
  const text = existsSync(spec) ? readFileSync(spec, 'utf8') : ''
  const rows = text
    .slice(text.indexOf('| limit | value | applies to |'))
    .split('\n\n')[0]!
    .split('\n')
    .slice(2)
    .map(
      (line) =>
        line
          .split('|')
          .slice(1, 4)
          .map((cell) => cell.trim()) as unknown as Row,
    )

  it('every row is checked here or in another file', () => {
    expect(rows.map(([limit]) => limit).filter((limit) => !(limit in checks) && !(limit in otherTests))).toEqual([])
    expect(rows.length).toBeGreaterThan(14)
  })

  it.each(rows.filter(([limit]) => limit in checks))('%s: %s, of %s', (...row) => checks[row[0]]!(row))
})
