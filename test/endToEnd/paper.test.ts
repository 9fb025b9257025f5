// docs/first-strategy.md as printed, against a demo: a strategy that trades with a paper key, and the requests that its venue got meanwhile.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { blocksIn, type PrintedDemo, root, startPrintedDemo } from './printedDemo.ts'

const page = readFileSync(join(root, 'docs/first-strategy.md'), 'utf8')
let demo: PrintedDemo

beforeAll(async () => {
  demo = await startPrintedDemo('--venues', 'kalshi')
}, 120_000)
afterAll(() => demo.stop(), 60_000)

/** Requests that concern orders and accounts, by route. */
async function ordersAtVenue(): Promise<Record<string, number>> {
  const { labControl } = JSON.parse(readFileSync(join(demo.dataDir, 'runtime.json'), 'utf8')) as { labControl: string }
  const { venues } = (await (await fetch(`${labControl}/lab/state`)).json()) as {
    venues: Record<string, { counters: { httpRequests: Record<string, number> } }>
  }
  return Object.fromEntries(
    Object.entries(venues.kalshi!.counters.httpRequests).filter(([route]) => route.includes('portfolio')),
  )
}

it('a strategy trades on paper, and its venue gets no order', async () => {
  const before = await ordersAtVenue()
  const printed = await demo.shell(blocksIn(page)[0]!)
  expect(printed).toContain('round 3: bought')
  const answers = printed.slice(printed.indexOf('{"success"')).split(/\s*(?=\{"success")/)
  const [fills, summary] = answers.map((text) => JSON.parse(text)) as [
    { success: boolean; data: { price: string; evidence: { bookSeq: number } }[] },
    { success: boolean },
  ]
  expect([fills.success, summary.success]).toEqual([true, true])
  // The second round takes the offer.
  expect(fills.data.length).toBeGreaterThan(0)
  expect(fills.data[0]!.evidence.bookSeq).toBeGreaterThan(0)
  expect(await ordersAtVenue()).toEqual(before)
}, 300_000)
