// The dashboard in a browser, by real clicks: what a person sees who opens /ui. Skipped where Chromium is not installed.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { executablePath, openBrowser } from '#test/support/chromium'
import { expectNoComplaints, expectToFit, expectToStandStill, openPage, patience, reportShown } from './browser.ts'

/** Declares the tests; call it once the program serves. `address`: its address, with a key that may trade. */
export function describeDashboard(address: () => { url: string; apiKey: string }): void {
  describe.skipIf(executablePath === undefined)('the dashboard', { timeout: 60_000 }, () => {
    let browser: Browser
    let page: Page
    /** Errors reported by the browser: policy violations, exceptions, failed responses. */
    const complaints: string[] = []

    beforeAll(async () => {
      browser = await openBrowser()
      page = await openPage(browser, complaints)
      await page.goto(`${address().url}/ui`)
    }, 60_000)
    afterAll(() => browser?.close())
    reportShown(() => page)

    const open = async (name: string): Promise<void> => {
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }

    it('asks for a key, refuses a wrong one with the reason, accepts a right one, and says that venues are simulated', async () => {
      await page.getByLabel('Key').fill('xb_live_wrong')
      await page.getByRole('button', { name: 'Open dashboard' }).click()
      await page.getByRole('alert').getByText('the API key is unknown or revoked').waitFor()
      await page.getByLabel('Key').fill(address().apiKey)
      // At once, as after a paste.
      await page.keyboard.press('Enter')
      await page.getByRole('row', { name: /^kalshi connected/ }).waitFor()
      expect(await page.getByText('LAB', { exact: true }).isVisible()).toBe(true)
      // The browser itself logs the refused key.
      complaints.length = 0
    })

    it('keeps the key in memory only', async () => {
      const kept = await page.evaluate(
        'JSON.stringify([location.href, document.cookie, { ...localStorage }, { ...sessionStorage }])',
      )
      expect(kept).not.toContain(address().apiKey)
    })

    it('opens signed in by a link with the key, removes the key from the address and keeps it for that tab until it is forgotten', async () => {
      const { url, apiKey } = address()
      const tab = await openPage(browser, [])
      const signedIn = () => tab.getByRole('row', { name: /^kalshi connected/ }).waitFor()
      await tab.goto(`${url}/ui#key=${apiKey}`)
      await signedIn()
      expect(tab.url()).not.toContain(apiKey)
      await tab.reload()
      await signedIn()
      expect(await tab.evaluate('JSON.stringify([document.cookie, { ...localStorage }])')).not.toContain(apiKey)
      await tab.getByRole('button', { name: 'Forget key' }).click()
      await tab.reload()
      await tab.getByLabel('Key').waitFor()
      await tab.goto(`${url}/ui#key=xb_live_wrong`)
      await tab.getByRole('alert').getByText('the API key is unknown or revoked').waitFor()
      expect(await tab.evaluate('sessionStorage.length')).toBe(0)
      await tab.close()
    })

    it('finds a market by its title, and shows its book, trades and candles as they change', async () => {
      await open('Markets')
      await page.getByLabel('Search titles').fill('Bitcoin be above $100,000')
      await page
        .getByRole('link', { name: /Bitcoin be above \$100,000/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Yes', exact: true }).waitFor()
      const ladder = page.locator('section', { has: page.getByRole('heading', { name: 'Book', exact: true }) })
      await ladder.getByText('live', { exact: true }).waitFor()
      const before = await ladder.textContent()
      await vi.waitFor(async () => expect(await ladder.textContent()).not.toBe(before), { timeout: patience })
      await page.getByText('Charts by TradingView').waitFor()
      await page.locator('.chart canvas').first().waitFor()
      await page.getByText('identity, verified').waitFor()
    })

    it('splits an amount over all venues with the same question, and refuses an invalid amount', async () => {
      const amount = page.getByLabel('Amount')
      await amount.fill('5000')
      await page.getByText(/contracts for \$\d/).waitFor()
      const split = page.getByRole('region', { name: 'Split' })
      await split.getByRole('rowheader', { name: /^kalshi/ }).waitFor()
      await split.getByRole('rowheader', { name: /^polymarket/ }).waitFor()
      // Orders there must be whole contracts.
      const [ordered] = await split
        .getByRole('row', { name: /^kalshi/ })
        .getByRole('cell')
        .allTextContents()
      expect(ordered).toMatch(/^[\d,]+$/)
      await amount.fill('-1')
      await page.getByText('Enter an amount above 0').waitFor()
      await amount.fill('100')
      const merged = page.getByRole('region', { name: 'Merged book' })
      await merged
        .getByText(/^kalshi Yes/)
        .first()
        .waitFor()
      await merged
        .getByText(/polymarket Yes$/)
        .first()
        .waitFor()
      await merged.getByText(/^(spread|crossed by) \d/).waitFor()
    })

    it('shows that the matching markets are loading', async () => {
      const matches = /fetchMarketMatches/
      await page.route(matches, () => undefined)
      await open('Markets')
      await page.locator('.markets .row a').first().click()
      await page.getByText(/^\d so far; other venues are loading/).waitFor()
      await page.getByRole('cell', { name: 'loading waiting for the matching markets' }).waitFor()
      expect(await page.getByText('excluded', { exact: true }).count()).toBe(0)
      await page.unroute(matches)
    })

    it('buys the same team across venues when outcomes are names', async () => {
      await open('Markets')
      await page.getByLabel('Search titles').fill('Will Cleveland win the Dallas vs Cleveland')
      await page
        .getByRole('link', { name: /^Will Cleveland win the Dallas vs Cleveland/ })
        .first()
        .click()
      const split = page.getByRole('region', { name: 'Split' })
      await split.getByRole('rowheader', { name: /^kalshi/ }).waitFor()
      await split.getByRole('rowheader', { name: /^polymarket Cleveland/ }).waitFor()
    })

    it('shows the arbitrage surface live, and the details of a row', async () => {
      await open('Arbitrage')
      await page.getByText('live', { exact: true }).last().waitFor()
      await page.getByRole('table', { name: 'Arbitrage' }).getByRole('button').first().click()
      const detail = page.getByRole('region', { name: 'Chosen row' })
      await detail.getByRole('row', { name: /^YES/ }).waitFor()
      await detail.getByText(/score \d+ of 100/).waitFor()
      await detail.getByRole('img', { name: /^Edge from the tape, \d+ stretches/ }).waitFor()
      await page.getByRole('button', { name: 'structures' }).click()
      await page.getByRole('table', { name: 'Structures' }).waitFor()
    })

    it('shows the timeline of an execution, and stops and resumes the account’s trading', async () => {
      await open('Orders')
      await page.getByRole('table', { name: 'Executions' }).getByRole('button').first().click()
      await page
        .getByRole('listitem')
        .filter({ hasText: /^built/ })
        .waitFor()
      const reason = page.getByLabel('Reason')
      await reason.fill('a test')
      await page.getByRole('button', { name: 'Halt all trading' }).click()
      await page.getByText('everywhere, by the account: a test').waitFor()
      await reason.fill('the test is over')
      await page.getByRole('button', { name: 'Lift' }).click()
      await page.getByText('Trading is not halted.').waitFor()
    })

    it('shows what the key may do, and its usage', async () => {
      await open('Keys and usage')
      const key = page.getByRole('region', { name: 'Signed-in key' })
      await key.getByText('read, trade, review, admin', { exact: true }).waitFor()
      await page.getByRole('cell', { name: 'fetchMarkets', exact: true }).first().waitFor()
    })

    it('continues a list after one of its pages failed, and shows the time of its prices', async () => {
      await open('Markets')
      let isFirst = true
      const later = /fetchMarkets\?.*cursor=/
      await page.route(later, (route) => {
        const json = { success: false, error: { code: 'CATALOG_UNAVAILABLE', message: 'not yet', retryable: true } }
        const refused = isFirst ? route.fulfill({ status: 503, json }) : route.continue()
        isFirst = false
        return refused
      })
      await page.getByLabel('Search titles').fill('')
      await page.getByText(/^200 of [\d,]+ markets$/).waitFor()
      await page.getByText(/^Prices are those of the catalog at \d+:\d\d:\d\d/).waitFor()
      await page.locator('span[title="live book"]').first().waitFor()
      await page.evaluate("document.querySelector('.long').scrollTo(0, 1e9)")
      await page.getByText('CATALOG_UNAVAILABLE: not yet').waitFor()
      await page.getByText(/^(?!200 of)[\d,]+ of [\d,]+ markets$/).waitFor()
      await page.unroute(later)
      await open('Status')
    })

    it('draws few of ten thousand rows, and reaches the last', async () => {
      const rows = Array.from({ length: 10_000 }, (_, i) => ({
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
      await open('Markets')
      await page.getByText('10,000 of 10,000 markets').waitFor()
      const list = page.getByRole('table', { name: 'Markets' })
      await page.evaluate("document.querySelector('.long').scrollTo(0, 1e9)")
      await page.getByRole('link', { name: 'Market 9999' }).waitFor()
      expect(await list.getByRole('row').count()).toBeLessThan(60)
      await page.unroute('**/api/router/fetchMarkets?*')
    })

    it('goes from page to page by keyboard', async () => {
      await page.getByRole('link', { name: 'Status', exact: true }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Status', level: 1 }).waitFor()
      await expect.poll(() => page.evaluate('document.activeElement.tagName'), { timeout: patience }).toBe('MAIN')
    })

    it.each(['Status', 'Markets', 'Arbitrage', 'Orders', 'Portfolio', 'Paper', 'Keys and usage', 'market'])(
      'is accessible in both themes, and fits a phone: %s',
      async (name) => {
        await page.setViewportSize({ width: 1280, height: 900 })
        if (name === 'market') {
          await open('Markets')
          await page.getByRole('table', { name: 'Markets' }).getByRole('link').first().click()
          await page.getByRole('heading', { name: 'Matching markets' }).waitFor()
        } else await open(name)
        await expectToFit(page, name)
      },
    )

    it('keeps its width whatever text a venue sends, and links to web pages only', async () => {
      const word = 'W'.repeat(600)
      const hostile = (market: { outcomes: object[] }) => ({
        ...market,
        title: word,
        url: 'javascript:alert(1)',
        outcomes: market.outcomes.map((outcome) => ({ ...outcome, label: word })),
      })
      const reads = /\/fetchMarket(Matches)?\?/
      await page.route(reads, async (route) => {
        const response = await route.fetch()
        const json = await response.json()
        const data = Array.isArray(json.data)
          ? json.data.map((row: { market: { outcomes: object[] } }) => ({
              ...row,
              market: hostile(row.market),
              relationReason: word,
            }))
          : hostile(json.data)
        await route.fulfill({ response, json: { ...json, data } })
      })
      await open('Markets')
      await page.getByRole('table', { name: 'Markets' }).getByRole('link').first().click()
      await page.getByRole('heading', { name: word, level: 1 }).waitFor()
      await page.getByRole('region', { name: 'Split' }).getByRole('rowheader').first().waitFor()
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      }
      expect(await page.getByText('view on venue').count()).toBe(0)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })

    it('caused no layout shift, broke no policy, and forgets the key on reload', async () => {
      await expectToStandStill(page)
      await expectNoComplaints(complaints)
      await page.reload()
      await page.getByLabel('Key').waitFor()
    })
  })
}
