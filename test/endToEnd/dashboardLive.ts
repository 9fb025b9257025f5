// Live updates of the dashboard in a browser, and its details: a venue that fails and recovers, a market whose price moves, rows that
// change, lists by keyboard.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { executablePath, openBrowser, signIn } from '#test/support/chromium'
import { expectNoComplaints, expectToStandStill, openPage, patience, reportShown } from './browser.ts'

interface Address {
  url: string
  apiKey: string
  /** The address where the simulated venues take faults. */
  labControl: string
}

const waits = { timeout: patience, interval: 200 }
/** Kalshi reports a minute when it is over, and the page polls every ten seconds. */
const candleWaits = { timeout: 100_000, interval: 200 }

/** Declares the tests; call it once the program serves. */
export function describeDashboardLive(address: () => Address): void {
  describe.skipIf(executablePath === undefined)('the dashboard, live', { timeout: 90_000 }, () => {
    let browser: Browser
    let page: Page
    const complaints: string[] = []

    beforeAll(async () => {
      browser = await openBrowser()
      page = await openPage(browser, complaints)
      await signIn(page, address())
    }, 60_000)
    afterAll(() => browser?.close())
    reportShown(() => page)

    const open = async (name: string): Promise<void> => {
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
    const fault = async (words: Readonly<Record<string, unknown>>): Promise<void> => {
      const answer = await fetch(`${address().labControl}/lab/faults`, { method: 'POST', body: JSON.stringify(words) })
      expect(answer.ok).toBe(true)
    }

    it('filters markets by venue and by status', async () => {
      await open('Markets')
      const list = page.getByRole('table', { name: 'Markets' })
      const totals = new Map<string, number>()
      for (const status of ['closed', 'all', 'active']) {
        const answer = page.waitForResponse((response) => response.url().includes(`status=${status}`))
        await page.getByLabel('Status').selectOption(status)
        const { meta } = (await (await answer).json()) as { meta: { total: number } }
        await page.getByText(new RegExp(`^[\\d,]+ of ${meta.total} markets$`)).waitFor()
        totals.set(status, meta.total)
      }
      expect(totals.get('active')).toBeGreaterThan(0)
      expect(totals.get('all')).toBeGreaterThanOrEqual(totals.get('active')! + totals.get('closed')!)
      const venues = async (): Promise<string[]> =>
        (await list.getByRole('row').all()).length === 1
          ? []
          : list.locator('.rows .row > :nth-child(2)').allTextContents()
      for (const venue of ['polymarket', 'kalshi']) {
        await page.getByLabel('Venue').selectOption(venue)
        await vi.waitFor(async () => expect(new Set(await venues())).toEqual(new Set([venue])), waits)
      }
    })

    it('shows a market as its price moves: book, candles, trades; its tape coverage; and how matching markets differ', async () => {
      await page.getByLabel('Search titles').fill('Bitcoin be above $100,000')
      await page
        .getByRole('link', { name: /Bitcoin be above \$100,000/ })
        .first()
        .click()
      const chart = page.getByRole('img', { name: /^1m candles: [1-9]\d*, last close 0\.\d+$/ })
      await chart.locator('canvas').first().waitFor()
      const trades = page.getByRole('region', { name: 'Latest trades' }).locator('tbody tr')
      await trades.first().waitFor()
      const coverage = page.getByRole('region', { name: 'Tape coverage' })
      await coverage.getByText('ws-lossless').waitFor()
      const since = coverage.locator('dt', { hasText: 'Books since' }).locator('xpath=following-sibling::dd[1]')
      expect(await since.textContent()).toMatch(/\d{4}, \d+:\d\d:\d\d/)
      const differences = page.getByRole('region', { name: 'Matching markets' }).getByRole('listitem')
      await differences
        .getByText(/^strike: kalshi says .*\d+ points\)$/)
        .first()
        .waitFor()

      const before = { words: await chart.getAttribute('aria-label'), drawn: await chart.screenshot() }
      const close = Number(/0\.\d+$/.exec(before.words!)![0])
      const market = decodeURIComponent(new URL(page.url()).hash.split('/').at(-1)!)
      const [price, side] = close > 0.5 ? [0.2, 'sell'] : [0.8, 'buy']
      await fault({ venue: 'kalshi', kind: 'move', market, price })
      await vi.waitFor(async () => {
        const words = await page.locator('.chart[role=img]').getAttribute('aria-label')
        const moved = Number(/[\d.]+$/.exec(words!)![0])
        expect(Math.abs(moved - price)).toBeLessThan(Math.abs(close - price) / 2)
      }, candleWaits)
      expect((await chart.screenshot()).equals(before.drawn)).toBe(false)
      expect(await trades.first().textContent()).toMatch(/(AM|PM)(buy|sell)0\.\d+[\d,.]+$/)
      await trades.filter({ hasText: side }).first().waitFor()
    }, 180_000)

    it('shows the trades that it missed while disconnected', async () => {
      await open('Markets')
      const missed: string[] = []
      let lose = (): Promise<void> => Promise.reject(new Error('not connected'))
      await page.routeWebSocket('**/v1/stream', (socket) => {
        const server = socket.connectToServer()
        lose = () => socket.close({ code: 1001 })
        const isFirst = missed.length === 0
        server.onMessage((message) => {
          const frame = JSON.parse(String(message))
          if (isFirst && frame.type === 'trade') missed.push(frame.data.id)
          else socket.send(message)
        })
      })
      const read: string[] = []
      page.on('response', async (response) => {
        if (!response.url().includes('/fetchTrades?') || !response.ok()) return
        const { data } = (await response.json()) as { data: { id: string }[] }
        read.push(...data.map(({ id }) => id))
      })
      await page
        .getByRole('link', { name: /Bitcoin be above \$100,000/ })
        .first()
        .click()
      const unread = (): string | undefined => missed.find((id) => !read.includes(id))
      await vi.waitFor(() => expect(read.length > 0 && unread()).toBeTruthy(), waits)
      const one = unread()
      await lose()
      // Sooner than its next regular poll.
      await vi.waitFor(() => expect(read).toContain(one), { timeout: 25_000, interval: 50 })
    })

    it('keeps showing a market while reading it again fails', async () => {
      const outcomes = page.getByRole('group', { name: 'Outcome' })
      await outcomes.waitFor()
      const before = await outcomes.boundingBox()
      await page.route('**/fetchMarket?**', (route) =>
        route.fulfill({
          status: 503,
          json: { success: false, error: { code: 'PLATFORM_UNAVAILABLE', message: 'busy', retryable: true } },
        }),
      )
      await page.getByRole('alert').filter({ hasText: 'PLATFORM_UNAVAILABLE: busy' }).waitFor()
      expect(await outcomes.boundingBox()).toEqual(before)
      await page.unroute('**/fetchMarket?**')
      await page.getByRole('alert').waitFor({ state: 'detached' })
    })

    it('updates values on Arbitrage in place, and opens a row by keyboard', async () => {
      await open('Arbitrage')
      const table = page.getByRole('table', { name: 'Arbitrage' })
      await table.getByRole('button').first().waitFor()
      await table.hover()
      await page.getByText('order held while you are here').waitFor()
      const before = await edgesIn(page)
      await vi.waitFor(async () => {
        const after = await edgesIn(page)
        expect(
          [...before].filter(([question, edge]) => after.has(question) && after.get(question) !== edge),
        ).not.toEqual([])
      }, waits)
      // Rows keep their order while the mouse is over them.
      expect([...(await edgesIn(page)).keys()].slice(0, 8)).toEqual([...before.keys()].slice(0, 8))
      await page.mouse.move(0, 0)
      await page.getByText('order held while you are here').waitFor({ state: 'detached' })
      await table.focus()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      const chosen = page.getByRole('region', { name: 'Chosen row' })
      await chosen.getByRole('row', { name: /^YES/ }).waitFor()
      await expect.poll(async () => (await chosen.boundingBox())!.y).toBeLessThan(700)
    })

    it('opens the legs of a structure', async () => {
      await page.getByRole('button', { name: 'structures' }).click()
      await page.getByRole('table', { name: 'Structures' }).getByRole('button').first().click()
      const chosen = page.getByRole('region', { name: 'Chosen structure' })
      await chosen.getByText(/of each leg: costs \$[\d,.]+, pays at least \$[\d,.]+/).waitFor()
      const legs = chosen.getByRole('region', { name: 'Legs' }).locator('tbody tr')
      expect(await legs.count()).toBeGreaterThanOrEqual(2)
      for (const leg of await legs.allTextContents()) expect(leg).toMatch(/^(kalshi|polymarket).*(yes|no)0\.\d+/)
    })

    it('operates filters and themes by keyboard', async () => {
      await open('Markets')
      await page.getByLabel('Venue').focus()
      await page.keyboard.press('Home')
      await expect.poll(() => page.getByLabel('Venue').inputValue()).toBe('')
      const theme = page.getByRole('button', { name: /^Use the (dark|light) theme$/ })
      const wanted = /dark|light/.exec((await theme.getAttribute('aria-label'))!)![0]
      await theme.focus()
      await page.keyboard.press('Enter')
      await page.locator(`html[data-theme=${wanted}]`).waitFor()
    })

    it('caused no layout shift, and broke no policy', async () => {
      await expectToStandStill(page)
      await expectNoComplaints(complaints)
    })

    it('shows a failing venue: its lag, its stale books, and the gap that stays on the tape', async () => {
      await open('Status')
      const kalshi = () => cellsOf(page, 'kalshi')
      await vi.waitFor(async () => {
        const { Connection, Lag, Books, Stale, 'Gaps, 24 h': gaps } = await kalshi()
        expect([Connection, Stale]).toEqual(['connected', '0'])
        expect(Lag).toMatch(/^\d+(\.\d)? (ms|s)$/)
        expect(Number(Books)).toBeGreaterThan(0)
        expect(gaps).toMatch(/^\d+\+? in \d+\+? outcomes$/)
      }, waits)
      const gapsBefore = Number.parseInt((await kalshi())['Gaps, 24 h']!, 10)
      await fault({ venue: 'kalshi', kind: 'disconnect', refuseMs: 4_000 })
      await vi.waitFor(async () => expect(Number((await kalshi()).Stale)).toBeGreaterThan(0), waits)
      await page.locator('td.stale').waitFor()
      await vi.waitFor(
        async () => {
          await open('Tape')
          await open('Status')
          await vi.waitFor(async () => expect((await kalshi())['Gaps, 24 h']).toMatch(/^\d/), waits)
          const { Connection, Stale, 'Gaps, 24 h': gaps } = await kalshi()
          expect([Connection, Stale]).toEqual(['connected', '0'])
          expect(Number.parseInt(gaps!, 10)).toBeGreaterThan(gapsBefore)
        },
        { timeout: 60_000, interval: 1_000 },
      )
    })
  })
}

/** Edge by question, of the drawn rows. */
async function edgesIn(page: Page): Promise<Map<string, string>> {
  const rows = await page.evaluate(
    "[...document.querySelectorAll('.arbitrage .rows .row')].map((row) => [0, 2].map((at) => row.children[at].textContent))",
  )
  return new Map(rows as [string, string][])
}

/** A row of the table of venues, by its columns. */
async function cellsOf(page: Page, venue: string): Promise<Record<string, string>> {
  const titles = await page.getByRole('columnheader').allTextContents()
  const row = page.locator('tbody tr', { has: page.getByRole('rowheader', { name: venue, exact: true }) })
  const cells = await row.locator('th, td').allTextContents()
  return Object.fromEntries(titles.map((title, i) => [title, cells[i] ?? '']))
}
