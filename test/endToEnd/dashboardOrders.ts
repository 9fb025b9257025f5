// Orders and keys on the dashboard, in a browser: a pair of conditional orders of which one triggers, and the usage of each key of the
// account.
import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '#sdk/typescript/src/index'
import { executablePath, openBrowser, signIn } from '#test/support/chromium'
import { expectNoComplaints, expectToFit, openPage, reportShown } from './browser.ts'

interface Address {
  url: string
  apiKey: string
}

/** Declares the tests; call it once the program serves. `address`: its address, with a key that may trade. */
export function describeDashboardOrders(address: () => Address): void {
  describe.skipIf(executablePath === undefined)('the dashboard’s orders and keys', { timeout: 90_000 }, () => {
    let browser: Browser
    let page: Page
    const complaints: string[] = []

    beforeAll(async () => {
      await armPair(address())
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

    it('shows both orders of a pair, and when, by what and on which evidence one triggered', async () => {
      await open('Orders')
      const rows = page.getByRole('table', { name: 'Conditional orders' }).locator('.rows .row')
      const triggered = rows.filter({ hasText: /≤\s*triggered\s*0\.98/ })
      await triggered.getByRole('button').click()
      const section = page.getByRole('region', { name: 'Conditional orders' })
      const events = section.getByRole('listitem')
      await events.filter({ hasText: /^armed .*by api/ }).waitFor()
      await events.filter({ hasText: /^armed → triggered .*by trigger engine: .*reference price 0\.\d+/ }).waitFor()
      await section.getByText(/the first to fire ends the others: ≥ 0\.99 \(armed\)\./).waitFor()
    })

    it('shows since when the service does not answer, makes no claim about halts meanwhile, and recovers', async () => {
      await open('Orders')
      const halt = page.getByRole('region', { name: 'Halt' })
      await halt.getByText('Trading is not halted.').waitFor()
      await page.route('**/v1/**', (route) => route.abort())
      const alert = page.getByRole('alert').filter({ hasText: /The server has not answered since \d\d?:\d\d:\d\d/ })
      await alert.waitFor()
      await halt.getByText('Whether trading is halted is not known right now.').waitFor()
      expect(await halt.getByText('Trading is not halted.').count()).toBe(0)
      await page.unroute('**/v1/**')
      await halt.getByText('Trading is not halted.').waitFor()
      await alert.waitFor({ state: 'detached' })
      // The browser logs every request that was cut.
      complaints.length = 0
    })

    it('lists the account’s keys by their first characters, with the usage of each', async () => {
      await open('Keys and usage')
      const { apiKey } = address()
      const row = page
        .getByRole('region', { name: 'Keys of the account' })
        .getByRole('row', { name: apiKey.slice(0, 16) })
      await row.getByText('signed in').waitFor()
      await row.getByText('active').waitFor()
      await row.getByText('read, trade').waitFor()
      await expect
        .poll(async () => Number((await row.locator('td').nth(6).textContent())!.replaceAll(',', '')))
        .toBeGreaterThan(0)
      const usage = page.getByRole('region', { name: 'Usage', exact: true })
      await usage.getByRole('cell', { name: 'fetchMarkets', exact: true }).first().waitFor()
      await usage.getByLabel('Key').selectOption({ label: `${apiKey.slice(0, 16)}…` })
      await usage.getByText(/^[1-9][\d,]* calls, [\d,]+ credits, .* \(UTC\)$/).waitFor()
      expect(await page.content()).not.toContain(apiKey)
    })

    it.each(['Orders', 'Keys and usage'])(
      'is accessible in both themes, and fits a phone, with content: %s',
      async (name) => {
        await open(name)
        if (name === 'Orders') {
          for (const table of ['Executions', 'Conditional orders'])
            await page.getByRole('table', { name: table }).getByRole('button').first().click()
          await page.locator('.timeline').nth(1).waitFor()
        } else await page.getByText('signed in').waitFor()
        await expectToFit(page, name)
        await expectNoComplaints(complaints)
      },
    )
  })
}

/** Two orders of which one may fire: the price of the first is reached already, that of the second is far away. */
async function armPair({ url, apiKey }: Address): Promise<void> {
  const { api } = createClient({ baseUrl: url, apiKey })
  const path = { exchange: 'polymarket' } as const
  const { data: markets } = await api.fetchMarkets({ path, query: { limit: 1 } })
  const asset = markets[0]!.outcomes[0]!.outcomeId
  const { data: book } = await api.fetchOrderBook({ path, query: { outcomeId: asset } })
  if (!('asks' in book)) throw new Error('one book was requested')
  const ocoGroupId = randomUUID()
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const owner = '0x00000000000000000000000000000000000000aa'
  const order = { asset, isBuy: true, price: book.asks[0]!.price, size: 10, owner }
  for (const trigger of [
    { when: 'at_or_below', price: 0.98, confirmations: 1, dwellMs: 1, maxSpread: 1 },
    { when: 'at_or_above', price: 0.99 },
  ] as const) {
    const { data: built } = await api.buildExecution({ path: { venue: 'polymarket' }, body: order })
    const { executionId } = built
    await api.armConditional({ body: { executionId, trigger, fireMode: 'client', expiresAt, ocoGroupId } })
  }
}
