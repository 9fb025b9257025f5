// The dashboard's page of the portfolio in a browser: the demo's own position, and answers with unknown values, lost positions, uncertain
// relations and orders of unknown outcome.
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath, openBrowser, signIn } from '#test/support/chromium'
import { expectNoComplaints, expectToFit, expectToStandStill, openPage, reportShown } from './browser.ts'
import { type MockedPortfolio, mockPortfolio } from './portfolioAnswers.ts'

interface Address {
  url: string
  apiKey: string
}

/** Declares the tests; call it once the program serves. `address`: its address, with a key that may trade and has a filled order. */
export function describeDashboardPortfolio(address: () => Address): void {
  describe.skipIf(executablePath === undefined)('the dashboard’s portfolio', { timeout: 90_000 }, () => {
    let browser: Browser
    let page: Page
    let mocked: MockedPortfolio | null = null
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
    const region = (name: string) => page.getByRole('region', { name, exact: true })
    const rowsOf = (table: string) => page.getByRole('table', { name: table, exact: true }).locator('.rows .row')
    const saved = async (button: string): Promise<{ name: string; bytes: Buffer }> => {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: button }).click()
      const file = await download
      return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
    }

    it('shows the position of a filled order live, with its marks, its group and its order', async () => {
      await open('Portfolio')
      await region('Totals by venue')
        .getByRole('row', { name: /^polymarket/ })
        .waitFor()
      await region('Positions of the account').getByText('live', { exact: true }).waitFor()
      await rowsOf('Positions').filter({ hasText: 'polymarket' }).first().getByRole('button').click()
      const position = region('Chosen position')
      await position.getByRole('row', { name: /^middle of the book/ }).waitFor()
      await position.getByText(/^Average cost$/).waitFor()
      await rowsOf('Exposure groups').first().getByRole('button').click()
      await region('Chosen group')
        .getByRole('region', { name: 'Positions of the group' })
        .getByRole('link')
        .first()
        .waitFor()
      await region('Capital by venue')
        .getByRole('row', { name: /^polymarket .*100\.00%/ })
        .waitFor()
      await rowsOf('Orders').filter({ hasText: 'filled' }).first().waitFor()
    })

    it('saves the statement of the month, and tables as CSV and Parquet', async () => {
      const statement = await saved('Download statement')
      expect(statement.name).toMatch(/^crossbook-statement-\d{4}-\d\d\.csv$/)
      expect(String(statement.bytes)).toMatch(/^section,/)
      const csv = await saved('Export')
      expect(csv.name).toMatch(/^crossbook-open-positions-.*\.csv$/)
      expect(String(csv.bytes).split('\r\n')[1]).toMatch(/polymarket/)
      await page.getByLabel('Table as').selectOption('Parquet')
      const parquet = await saved('Export')
      expect(parquet.name).toMatch(/\.parquet$/)
      expect(String(parquet.bytes.subarray(0, 4))).toBe('PAR1')
      await page.getByText(`Saved ${parquet.name}.`).waitFor()
    })

    it('explains what is missing to a key that may not trade, and reads nothing with it', async () => {
      const read: string[] = []
      await open('Status')
      page.on('request', (request) => read.push(new URL(request.url()).pathname))
      await page.route('**/v1/account', async (route) => {
        const response = await route.fetch()
        const json = await response.json()
        await route.fulfill({ response, json: { ...json, data: { ...json.data, scopes: ['read'] } } })
      })
      await open('Portfolio')
      await region('Missing scope').getByText('This key has: read.').waitFor()
      await page.unroute('**/v1/account')
      await open('Status')
      expect(read.filter((path) => /portfolio|exec\/orders/.test(path))).toEqual([])
      page.removeAllListeners('request')
    })

    it('shows an unknown amount as a dash with its reason, and never as 0', async () => {
      mocked = await mockPortfolio(page)
      await open('Portfolio')
      const totals = region('Totals by venue').getByRole('row', { name: /^polymarket/ })
      await totals.getByText('—').nth(3).waitFor()
      await totals.getByTitle('the venue did not report an amount (1)').first().waitFor()
      await totals.getByText('no live book, or a side of it is empty (1): unrealised PnL at mid').waitFor()
      await page.getByText('1 order is reported as filled beyond the fills that are stored').waitFor()
      const row = rowsOf('Positions').filter({ hasText: 'Will it snow on Monday?' })
      const cells = await row.getByRole('cell').allTextContents()
      expect(cells.slice(4)).toEqual(['—', '—', '—', '—', '—', '—', '0'])
      await row.getByTitle('the book at polymarket is not live').first().waitFor()
    })

    it('changes rows as the stream does, and reads them while it is lost', async () => {
      const rain = rowsOf('Positions').filter({ hasText: 'Will it rain on Monday?' })
      await rain.getByText('+0.4', { exact: true }).waitFor()
      mocked!.sendChange()
      await rain.getByText('+0.9', { exact: true }).waitFor()
      await rowsOf('Positions').filter({ hasText: 'Will it snow on Monday?' }).waitFor({ state: 'detached' })
      mocked!.loseStream()
      await page.getByText('the connection to the stream is lost').waitFor()
      await rowsOf('Positions').filter({ hasText: 'Will it snow on Monday?' }).waitFor()
    })

    it('filters by status and venue, and hides lost positions of resolved markets unless they are wanted', async () => {
      const section = region('Positions of the account')
      await section.getByLabel('Status').selectOption('closed')
      await rowsOf('Positions').filter({ hasText: 'Will it be windy on Monday?' }).waitFor()
      await section.getByText('1 lost hidden').waitFor()
      expect(await rowsOf('Positions').count()).toBe(1)
      await section.getByLabel('lost positions of resolved markets').check()
      await rowsOf('Positions').filter({ hasText: 'Will it hail on Monday?' }).waitFor()
      await section.getByLabel('Venue').selectOption('kalshi')
      await section.getByText('No closed positions.').waitFor()
      await section.getByLabel('Status').selectOption('open')
      await section.getByLabel('Venue').selectOption('')
    })

    it('shows what related positions pay together, which figures are bounds, and what depends on uncertain relations', async () => {
      await page.getByText('each market is a group by itself').waitFor()
      await rowsOf('Exposure groups').filter({ hasText: 'Will it snow' }).getByText('≥ 0').waitFor()
      await rowsOf('Exposure groups').filter({ hasText: 'Will it rain' }).getByRole('button').click()
      const group = region('Chosen group')
      await group.getByText('+0.7').first().waitFor()
      await group.getByRole('region', { name: 'Outcomes' }).getByText('No at polymarket').waitFor()
      await group.getByText(/this group and polymarket:SNOW together have a worst case of ≥ 12/).waitFor()
      await group.getByText('Relations that connect its markets (1)').click()
      await group.getByText(/same \(verified\)/).waitFor()
      const venues = await region('Capital by venue').getByRole('rowheader').allTextContents()
      expect(venues).toEqual(['polymarket', 'kalshi', 'polymarket'])
    })

    it('shows what an order of unknown outcome waits for, until when, and what its owner can do', async () => {
      const orders = region('Unknown outcomes')
      await orders.getByRole('heading', { name: /^buy 20 at 0\.3 at polymarket/ }).waitFor()
      await orders.getByText('the venue may still accept a late copy.').waitFor()
      await orders.getByText(/^Wait until /).waitFor()
      await orders.getByText(/^Record its outcome yourself \(failed, filled\): POST \/v1\/exec/).waitFor()
    })

    it('saves all pages of a table as one file, and shows what the rows lack', async () => {
      await page.getByLabel('Table as').selectOption('CSV')
      await page.getByLabel('Content').selectOption('fills')
      const { bytes } = await saved('Export')
      expect(String(bytes)).toBe('fillId,size\r\nF1,3\r\nF2,7\r\n')
      await region('Statements and exports').getByText('that part is not included').waitFor()
    })

    it('is accessible in both themes, and fits a phone, with all of its parts open', async () => {
      await rowsOf('Positions').first().getByRole('button').click()
      await rowsOf('Orders').first().getByRole('button').click()
      await region('Chosen position').waitFor()
      await region('Chosen order').waitFor()
      await expectToFit(page, 'Portfolio')
    })

    it('caused no layout shift, and broke no policy', async () => {
      await mocked!.end()
      await expectToStandStill(page)
      await expectNoComplaints(complaints)
    })
  })
}
