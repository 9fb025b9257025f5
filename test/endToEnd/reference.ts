// The API reference in a browser, by real clicks: what a person sees who opens /docs. It needs no key.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath, openBrowser } from '#test/support/chromium'
import { expectNoComplaints, expectToFit, expectToStandStill, openPage } from './browser.ts'

/** Declares the tests; call it once the program serves. */
export function describeReference(address: () => { url: string }): void {
  describe.skipIf(executablePath === undefined)('the API reference', { timeout: 60_000 }, () => {
    let browser: Browser
    let page: Page
    const complaints: string[] = []
    const requestedOrigins = new Set<string>()

    beforeAll(async () => {
      browser = await openBrowser()
      page = await openPage(browser, complaints)
      page.on('request', (request) => requestedOrigins.add(new URL(request.url()).origin))
      await page.goto(address().url)
      await page.getByRole('link', { name: 'API reference' }).click()
      await page.getByRole('heading', { name: 'API reference', level: 1 }).waitFor()
    }, 60_000)
    afterAll(() => browser?.close())

    it('finds an operation by a word of it, and shows its rights, its parameters and the fields of its response', async () => {
      await page.getByLabel('Search operations').fill('coverage gaps')
      await page.getByRole('link', { name: 'getHistoryCoverage' }).click()
      const operation = page.getByRole('region', { name: '/v1/history/coverage' })
      await operation.getByText('a plan that includes replay; 2 credits a call').waitFor()
      await operation
        .getByRole('region', { name: 'Parameters of getHistoryCoverage' })
        .getByRole('rowheader', { name: /^outcomeId/ })
        .waitFor()
      await operation.getByText(`${address().url}/v1/history/coverage?venue=<venue>`).waitFor()
      await operation.getByText('200 OK').click()
      await operation.getByText(/^data needed/).click()
      await operation.getByText(/there are older gaps/).waitFor()
      await page.getByLabel('Search operations').fill('no such words')
      await page.getByText('None.', { exact: true }).waitFor()
      await page.getByLabel('Search operations').fill('')
    })

    it('shows the messages that the stream accepts and sends', async () => {
      await page.getByRole('link', { name: 'stream', exact: true }).first().click()
      await page.getByRole('heading', { name: 'Stream', level: 1 }).waitFor()
      await page.getByText('op: "subscribeReplay"').click()
      await page.getByText(/^speed/).waitFor()
      await page.getByRole('region', { name: 'arbitrage' }).waitFor()
    })

    it('is accessible in both themes, and fits a phone', async () => {
      await page.getByRole('link', { name: 'account', exact: true }).first().click()
      await page.getByRole('heading', { name: 'account', level: 1 }).waitFor()
      await expectToFit(page, 'account')
    })

    it('sent requests to the program only, broke no policy, and caused no layout shift', async () => {
      expect([...requestedOrigins]).toEqual([address().url])
      await expectNoComplaints(complaints)
      await expectToStandStill(page)
    })
  })
}
