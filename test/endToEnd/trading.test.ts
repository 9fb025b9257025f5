// docs/trading.md and docs/conditional-orders.md as printed: the shell block of every adapter against a demo, its fields compared with the
// adapter's own, and the six commands of a take-profit and a stop-loss.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { silentLog } from '#core/log'
import { findRunningEmbedded } from '#storage/postgres/embedded'
import { createPool } from '#storage/postgres/pool'
import { isLong } from '#test/support/shortRuns'
import type { ExecutionAdapter } from '#venues/lane'
import { lanes, statusLanes } from '#venues/registry'
import { blocksIn, type PrintedDemo, root, startPrintedDemo } from './printedDemo.ts'

const page = readFileSync(join(root, 'docs/trading.md'), 'utf8')
const clientPage = readFileSync(join(root, 'sdk/typescript/README.md'), 'utf8')
const pairPage = readFileSync(join(root, 'docs/conditional-orders.md'), 'utf8')
const [setup, ...sections] = page.split(/^## /m) as [string, ...string[]]
const sectionOf = new Map(sections.map((text) => [text.slice(0, text.indexOf('\n')), text]))
const namesIn = (text: string): string[] => [...text.matchAll(/`(\w+)[`:]/g)].map(([, name]) => name!)
const [optionTable, venueTable] = setup.slice(setup.indexOf('### Order options')).split('| venue | takes |') as [
  string,
  string,
]
/** Fields of build bodies that the page explains once for all venues. */
const optionFields = namesIn([...optionTable.matchAll(/^\| (`[^|]*)\|/gm)].map(([, cell]) => cell).join(' '))
const takesOptions = new Set([...venueTable.matchAll(/^\| (\w+) \|/gm)].map(([, venue]) => venue))
const shellIn = (text: string): string | undefined => blocksIn(text)[0]
/** Includes the commands for operators. */
const setupShell = blocksIn(setup).at(-1)!
const listed = [...statusLanes.map(({ slug }) => slug), ...Object.keys(lanes)].toSorted()
/** Per demo: all adapters at once take too long on a machine with other work. */
const together = 2
const day = Math.floor(Date.now() / 86_400_000)
const pairs = Array.from({ length: Math.ceil(listed.length / together) }, (_, i) =>
  listed.slice(i * together, (i + 1) * together),
)
/** All of them in the long form; otherwise two, which change daily. */
const tried = process.env.CROSSBOOK_TEST_LONG === '1' ? pairs : [pairs[day % pairs.length]!]

describe('docs/trading.md', () => {
  it('has a section for every adapter, with commands', () => {
    expect([...sectionOf.keys()]).toEqual(listed)
    for (const text of sectionOf.values()) expect(shellIn(text)).toMatch(/^eval[\s\S]*curl/)
  })

  it.each<[string, Described]>([
    ...Object.entries(lanes),
    ...statusLanes.map((lane): [string, Described] => [lane.slug, lane]),
  ])('%s: names every field of its body, of submit and of refresh', (venue, lane) => {
    const options = takesOptions.has(venue) ? optionFields : []
    const named = new Set([...namesIn(sectionOf.get(venue)!), ...options])
    const fieldsOf = (body: z.ZodType) =>
      Object.keys(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }).properties ?? {})
    const bodies = [
      ...(lane.order === undefined ? [] : [lane.order.body]),
      ...[lane.cancel, lane.modify, lane.redeem].flatMap((verb) => verb?.body ?? []),
    ]
    const fields = [...bodies.flatMap(fieldsOf), ...(lane.submit?.fields ?? []), ...(lane.refresh?.fields ?? [])]
    for (const field of fields) expect(named, field).toContain(field)
  })
})

type Described = Partial<Pick<ExecutionAdapter, 'order' | 'cancel' | 'modify' | 'redeem' | 'submit' | 'refresh'>>

interface Answer {
  success: boolean
  data?: { status: string }
  error?: { code: string; retryable: boolean }
}

const busy: Answer = { success: false, error: { code: 'CATALOG_UNAVAILABLE', retryable: true } }
const isBusy = (answers: readonly Answer[]): boolean => answers.some(({ error }) => error?.retryable === true)

/** Where a pair of conditional orders is tried, too. */
const pairVenue = 'hyperliquid'
const groups = tried.map((venues, i) => ({ venues, isFirst: i === 0 }))

describe.each(groups)('its commands: $venues', ({ venues, isFirst }) => {
  let demo: PrintedDemo
  beforeAll(async () => {
    const started = new Set([...venues, ...(isFirst ? [pairVenue] : [])])
    demo = await startPrintedDemo('--venues', [...started].join(','))
  }, 120_000)
  afterAll(() => demo.stop(), 60_000)

  async function take(venue: string): Promise<Answer[]> {
    const given = venue === 'sxbet' ? `export ID=${await imported()}\n` : ''
    return printedBy(`${setupShell}${given}${shellIn(sectionOf.get(venue)!)}`)
  }

  /** The responses of its commands, one per line. */
  async function printedBy(script: string): Promise<Answer[]> {
    const ran = demo.shell(script)
    // A build is read by the next command, which includes its summary.
    const printed = await ran.catch((error: { stderr?: string }) => {
      if (error.stderr?.includes('try again shortly') === true) return JSON.stringify(busy)
      throw error
    })
    return printed
      .trim()
      .split('\n')
      .map((line): Answer => JSON.parse(line))
  }

  /** The id of an execution for an order that was placed at the venue directly. */
  async function imported(): Promise<string> {
    const { labControl } = JSON.parse(readFileSync(join(demo.dataDir, 'runtime.json'), 'utf8')) as {
      labControl: string
    }
    const body = JSON.stringify({ venue: 'sxbet' })
    const { orderId } = (await (await fetch(`${labControl}/lab/accounts`, { method: 'POST', body })).json()) as {
      orderId: string
    }
    const pool = createPool({ url: (await findRunningEmbedded(demo.dataDir))!, log: silentLog, connectionsMax: 1 })
    try {
      const { rows } = await pool.query<{ id: string }>(
        `INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds, venue_ref,
           created_at, updated_at)
         SELECT gen_random_uuid(), id, gen_random_uuid(), 'sxbet', 'order', 'acked', 1, '{}', sha256('{}'), '{}', $1, now(), now()
         FROM accounts WHERE name = 'demo' RETURNING id`,
        [orderId],
      )
      return rows[0]!.id
    } finally {
      await pool.end()
    }
  }

  /** What each of its responses must contain, in order. */
  const endsOf = (venue: string): string[][] =>
    venue === 'sxbet'
      ? [['acked', 'filled']]
      : lanes[venue as keyof typeof lanes].submit === undefined
        ? [['built']]
        : [
            ['acked', 'filled'],
            ['acked', 'filled'],
          ]

  it.each(venues)(
    '%s: all of its commands',
    async (venue) => {
      let answers = await take(venue)
      // A busy machine answers 503 and asks for a retry.
      for (let left = 2; left > 0 && isBusy(answers); left--) answers = await take(venue)
      for (const { success, error } of answers) expect([success, error]).toEqual([true, undefined])
      expect(answers).toHaveLength(endsOf(venue).length)
      for (const [i, ends] of endsOf(venue).entries()) expect(ends).toContain(answers[i]!.data?.status)
    },
    400_000,
  )

  it.runIf(isFirst)(
    'docs/conditional-orders.md: a take-profit fires when the market moves, its stop-loss is superseded, its owner is notified',
    async () => {
      const block = shellIn(pairPage)!
      expect(block.trim().split('\n').length).toBeLessThanOrEqual(6)
      const printed = await demo.shell(block)
      const lines = printed.trim().split('\n')
      const [, tp] = /^tp ([0-9a-f-]{36}) armed /m.exec(printed)!
      const [, sl] = /^sl ([0-9a-f-]{36}) armed /m.exec(printed)!
      const notified = lines.flatMap((line) => {
        const [, event, body] = /^verified (conditional\.\w+) (.*)$/.exec(line) ?? []
        return event === undefined
          ? []
          : [{ event, ...(JSON.parse(body!) as { conditionalId: string; fireAttempts: number }) }]
      })
      expect(notified.map(({ event }) => event).toSorted()).toEqual(['conditional.fired', 'conditional.triggered'])
      expect(new Set(notified.map(({ conditionalId }) => conditionalId))).toEqual(new Set([tp]))
      const orders = JSON.parse(lines.at(-1)!).data as { id: string; status: string; executionId: string }[]
      expect(orders.map(({ id, status }) => [id, status])).toEqual([
        [sl, 'superseded'],
        [tp, 'fired'],
      ])
    },
    200_000,
  )

  it.runIf(isFirst && isLong)(
    'docs/open-orders.md: resting orders are public, and an account without orders has none',
    async () => {
      const block = shellIn(readFileSync(join(root, 'docs/open-orders.md'), 'utf8'))!
      let responses = await printedBy(block)
      for (let left = 2; left > 0 && isBusy(responses); left--) responses = await printedBy(block)
      const rests = { venue: pairVenue, side: 'buy', status: 'open', remainingSize: 500 }
      const canonicalMarketId = expect.stringMatching(new RegExp(`^${pairVenue}:\\d+$`))
      const provenance = { source: 'venue_api', visibility: 'public' }
      expect(responses).toMatchObject([
        { data: { status: 'acked' } },
        { data: [{ ...rests, canonicalMarketId }], meta: { provenance, derived: false, cached: false } },
        { data: [] },
        { error: { code: 'VENUE_NOT_AVAILABLE' } },
      ])
    },
    120_000,
  )

  it.runIf(isFirst)(
    'sdk/typescript/README.md: its examples, built as described',
    async () => {
      const output = await demo.shell(shellIn(clientPage)!)
      // A day of the tape, and both ways of reading it.
      for (const line of [
        /^book \S+ 0\.\d+ 0\.\d+\nfirst .+\nmarkets 12$/m,
        /^subscribed \S+$/m,
        /^book snapshot \d+ 0\.\d+ 0\.\d+$/m,
        /^snapshot \d+ changed \d+ gone \d+ rows, best .+$/m,
        /^rows [1-9]\d* last (0\.\d+|null) (0\.\d+|null)$/m,
        /^replayed ([1-9]\d*) of \1$/m,
        /^built [0-9a-f-]{36} \{.+\}$/m,
        /^now acked$/m,
        /^cancel (acked|canceled)$/m,
        /^verified webhook\.test \{"test":true.+\}$/m,
      ])
        expect(output).toMatch(line)
    },
    200_000,
  )

  it.runIf(isFirst)(
    'docs/venue-metrics.md: the venue’s own figures, and those of the catalog',
    async () => {
      const block = shellIn(readFileSync(join(root, 'docs/venue-metrics.md'), 'utf8'))!
      await expect
        .poll(
          async () => {
            const [all, one, none] = (await demo.shell(block)).trim().split('\n')
            const { [pairVenue]: ofVenue } = JSON.parse(all!).data
            const names = [ofVenue?.openMarkets, ofVenue?.volume24h, ofVenue?.catalogOpenMarkets].map(
              (figure) => figure?.source,
            )
            return [names, JSON.parse(one!).data, JSON.parse(none!).data, ofVenue]
          },
          { timeout: 60_000, interval: 1_000 },
        )
        .toSatisfy(
          ([names, one, none, ofVenue]) =>
            String(names) === 'venue,venue,catalog' &&
            JSON.stringify(one) === JSON.stringify({ [pairVenue]: ofVenue }) &&
            JSON.stringify(none) === '{}',
        )
    },
    120_000,
  )
})
