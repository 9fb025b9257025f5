// How long the dashboard takes to become usable, in headless Chromium on loopback: its first page with sources compiled on demand and
// compiled before, the first rows of two pages against `npm run demo`, and frame times while ten thousand rows are scrolled.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { silentLog } from '#core/log'
import { createDashboardFiles, type DashboardFiles } from '#server/dashboard/files'
import { withDashboard } from '#server/dashboard/serve'
import { startGateway } from '#server/gateway/gateway'
import { startPrintedDemo } from '#test/endToEnd/printedDemo'
import { executablePath, openBrowser, signIn } from '#test/support/chromium'
import { lacks } from '#test/support/required'
import { type Bench, type BenchResult, figure, fullOrShort, isShort, median } from './bench.ts'

const rounds = fullOrShort(7, 1)
const bench = 'dashboard'

/** Milliseconds that `work` takes. */
async function msOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

/** From navigation to the form that asks for the key, with an empty browser cache; the first time includes compilation. */
async function firstPage(browser: Browser, files: () => Promise<DashboardFiles>): Promise<number> {
  const http = withDashboard(() => ({ status: 404, headers: {}, body: '' }), { files, log: silentLog })
  const gateway = await startGateway({ host: '127.0.0.1', port: 0, http, stream: null })
  const page = await browser.newPage()
  try {
    return await msOf(async () => {
      await page.goto(`${gateway.url}/ui`, { waitUntil: 'commit' })
      await page.getByLabel('Key').waitFor()
    })
  } finally {
    await page.close()
    await gateway.stop()
  }
}

/** From the click to the first drawn row. */
async function rowsAfter(page: Page, click: () => Promise<void>, row: string): Promise<number> {
  return msOf(async () => {
    await click()
    await page.locator(row).first().waitFor()
  })
}

async function usable(browser: Browser, { url, apiKey }: { url: string; apiKey: string }): Promise<BenchResult[]> {
  const taken = { form: [] as number[], status: [] as number[], markets: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const page = await browser.newPage()
    const form = await msOf(async () => {
      await page.goto(`${url}/ui`, { waitUntil: 'commit' })
      await page.getByLabel('Key').waitFor()
    })
    await page.getByLabel('Key').fill(apiKey)
    const status = await rowsAfter(page, () => page.keyboard.press('Enter'), 'tbody th[scope=row]')
    const markets = await rowsAfter(page, () => page.getByRole('link', { name: 'Markets' }).click(), '.rows .row')
    await page.close()
    if (round === 0) continue
    taken.form.push(form)
    taken.status.push(form + status)
    taken.markets.push(markets)
  }
  return [
    figure(bench, 'navigation to the form for the key, demo', 'ms', median(taken.form)),
    figure(bench, 'navigation to the first rows of Status, without typing', 'ms', median(taken.status)),
    figure(bench, 'the same, the slowest', 'ms', Math.max(...taken.status)),
    figure(bench, 'click to the first rows of Markets', 'ms', median(taken.markets)),
  ]
}

const rowsMany = 10_000
const scrolledMs = fullOrShort(5_000, 1_000)

/** Scrolls through all rows in five seconds; returns the duration of each frame and the highest number of rows in the document. */
const scrollThrough = `
  new Promise((resolve) => {
    const list = document.querySelector('.long')
    const frames = []
    const began = performance.now()
    let before = began
    let rows = 0
    const step = (now) => {
      frames.push(now - before)
      before = now
      rows = Math.max(rows, list.querySelectorAll('.row').length)
      const share = (now - began) / ${scrolledMs}
      list.scrollTop = share * list.scrollHeight
      if (share < 1) requestAnimationFrame(step)
      else resolve({ frames: frames.slice(1), rows })
    }
    requestAnimationFrame(step)
  })
`

async function scrolled(browser: Browser, { url, apiKey }: { url: string; apiKey: string }): Promise<BenchResult[]> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const rows = Array.from({ length: rowsMany }, (_, i) => ({
    marketId: `kalshi:M${i}`,
    title: `Market ${i}`,
    sourceExchange: 'kalshi',
    outcomes: [],
    volume24h: null,
    sourceMetadata: {},
  }))
  await page.route('**/api/router/fetchMarkets?*', (route) =>
    route.fulfill({ json: { success: true, data: rows, meta: { total: rows.length } } }),
  )
  await page.goto(`${url}/ui`)
  await page.getByLabel('Key').fill(apiKey)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Markets' }).click()
  await page.getByText('10,000 of 10,000 markets').waitFor()
  const frameTimes = (await page.evaluate(scrollThrough)) as { frames: number[]; rows: number }
  await page.close()
  const frames = frameTimes.frames.toSorted((a, b) => a - b)
  const at = (share: number): number => frames[Math.min(frames.length - 1, Math.floor(frames.length * share))]!
  return [
    figure(bench, 'frame while 10,000 rows are scrolled in 5 s, p50', 'ms', at(0.5)),
    figure(bench, 'the same, p99', 'ms', at(0.99)),
    figure(bench, 'the same, the longest', 'ms', frames.at(-1)!),
    figure(bench, 'most rows in the document meanwhile', 'rows', frameTimes.rows),
  ]
}

/** After a few pages only, the program may still be busy with its start and refuse a first attempt. */
async function signInOnce(browser: Browser, address: { url: string; apiKey: string }): Promise<void> {
  const page = await browser.newPage()
  await signIn(page, address)
  await page.close()
}

async function run(): Promise<BenchResult[]> {
  if (isShort && executablePath === undefined) {
    lacks('chromium', 'the bench of the dashboard runs in it')
    process.stderr.write('dashboard: skipped, Chromium is not installed\n')
    return []
  }
  const browser = await openBrowser()
  const demo = await startPrintedDemo()
  try {
    const cold: number[] = []
    const warm: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const files = createDashboardFiles()
      const [first, second] = [await firstPage(browser, files), await firstPage(browser, files)]
      if (round === 0) continue
      cold.push(first)
      warm.push(second)
    }
    const runtime = JSON.parse(readFileSync(join(demo.dataDir, 'runtime.json'), 'utf8')) as {
      url: string
      apiKey: string
    }
    if (isShort) await signInOnce(browser, runtime)
    return [
      figure(bench, 'navigation to the form for the key, compiled on demand', 'ms', median(cold)),
      figure(bench, 'the same, compiled before', 'ms', median(warm)),
      ...(await usable(browser, runtime)),
      ...(await scrolled(browser, runtime)),
    ]
  } finally {
    await demo.stop()
    await browser.close()
  }
}

export const benches: readonly Bench[] = [{ name: bench, run }]
