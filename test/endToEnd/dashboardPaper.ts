// The dashboard's page of a paper account in a browser: empty, with a deposit, with an order that rests and one that filled, and after a
// reset; and its texts for a live key and for a key that only reads.
import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath, openBrowser, signIn } from '#test/support/chromium'
import { expectNoComplaints, expectToFit, expectToStandStill, openPage, reportShown } from './browser.ts'

interface Address {
  url: string
  apiKey: string
}

const createKey =
  'npx node --disable-warning=ExperimentalWarning src/cli.ts keys create --paper --account demo --plan pro --scopes read,trade --json'

/** Declares the tests; call it once the program serves. `shell` runs a script as the operator of the program. */
export function describeDashboardPaper(address: () => Address, shell: (script: string) => Promise<string>): void {
  describe.skipIf(executablePath === undefined)('the dashboard’s paper account', { timeout: 90_000 }, () => {
    let browser: Browser
    let page: Page
    let paperKey: string
    const complaints: string[] = []

    beforeAll(async () => {
      paperKey = (JSON.parse(await shell(createKey)) as { apiKey: string }).apiKey
      browser = await openBrowser()
      page = await openPage(browser, complaints)
      await signIn(page, { url: address().url, apiKey: paperKey })
    }, 60_000)
    afterAll(() => browser?.close())
    reportShown(() => page)

    const open = async (name: string, on = page): Promise<void> => {
      await on.getByRole('link', { name, exact: true }).click()
      await on.getByRole('heading', { name, level: 1 }).waitFor()
    }
    const region = (name: string) => page.getByRole('region', { name, exact: true })
    const rowsOf = (table: string) => page.getByRole('table', { name: table, exact: true }).locator('.rows .row')
    const cash = () => region('Cash by venue').getByRole('row', { name: /^kalshi USD/ })
    const deposit = async (amount: string): Promise<void> => {
      await region('Cash').getByRole('combobox', { name: 'Venue' }).selectOption('kalshi')
      await region('Cash').getByRole('textbox', { name: 'Amount' }).fill(amount)
      await page.getByRole('button', { name: 'Deposit', exact: true }).click()
    }
    const ask = async <Data>(method: 'GET' | 'POST', path: string, body?: object): Promise<Data> => {
      const response = await fetch(address().url + path, {
        method,
        headers: {
          authorization: `Bearer ${paperKey}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const { data } = (await response.json()) as { data: Data }
      expect(response.status, path).toBe(200)
      return data
    }
    /** Buys one contract on paper. */
    const buy = async (asset: string, price: string): Promise<void> => {
      const order = { asset, isBuy: true, price, size: 1 }
      const { executionId } = await ask<{ executionId: string }>('POST', '/v1/exec/kalshi/orders/build', order)
      await ask('POST', `/v1/exec/kalshi/orders/${executionId}/submit`, {})
    }
    /** An outcome with a bid and an ask. */
    const findOutcome = async (): Promise<string> => {
      const markets = await ask<{ status: string; outcomes: { outcomeId: string }[] }[]>(
        'GET',
        '/api/kalshi/fetchMarkets?limit=50',
      )
      for (const { status, outcomes } of markets) {
        if (status !== 'active' || outcomes.length !== 2) continue
        const { outcomeId } = outcomes[0]!
        const path = `/api/kalshi/fetchOrderBook?outcomeId=${encodeURIComponent(outcomeId)}`
        const { bids, asks } = await ask<Record<'bids' | 'asks', { price: number }[]>>('GET', path)
        if ((bids[0]?.price ?? 0) > 0.1 && (asks[0]?.price ?? 1) < 0.9) return outcomeId
      }
      throw new Error('no market of kalshi has a bid and an ask between 0.1 and 0.9')
    }

    it('explains to a live key how to get a paper key, and reads nothing of a paper account with it', async () => {
      const live = await openPage(browser, complaints)
      const read: string[] = []
      live.on('request', (request) => read.push(new URL(request.url()).pathname))
      await signIn(live, address())
      await open('Paper', live)
      await live
        .getByRole('region', { name: 'Paper key needed' })
        .getByText(/keys create --paper/)
        .waitFor()
      await open('Status', live)
      expect(read.filter((path) => path.startsWith('/v1/paper'))).toEqual([])
      await live.close()
    })

    it('says what is empty, and why', async () => {
      await open('Paper')
      await region('Cash by venue')
        .getByText(/^No cash yet: the first order at a venue, or a deposit, grants 10,000/)
        .waitFor()
      await region('Equity by venue')
        .getByText(/^Nothing yet/)
        .waitFor()
      for (const text of ['No working orders.', 'No open positions.', 'No fills yet.'])
        await page.getByText(text, { exact: true }).waitFor()
      await region('Cash')
        .getByText(/^Working orders: 0 of at most 200\./)
        .waitFor()
    })

    it('pays in once, also when the answer was lost', async () => {
      const keys: string[] = []
      await page.route('**/v1/paper/account/deposit', async (route) => {
        keys.push(route.request().headers()['idempotency-key']!)
        if (keys.length > 1) return route.continue()
        // The server has paid it in.
        await route.fetch()
        return route.abort()
      })
      await deposit('500')
      await region('Cash')
        .getByRole('alert')
        .getByText(/^NETWORK: /)
        .waitFor()
      await page.getByRole('button', { name: 'Deposit', exact: true }).click()
      await page.getByText('Paid in 500 USD at kalshi.', { exact: true }).waitFor()
      await cash().getByText('10,500', { exact: true }).first().waitFor()
      expect(keys).toHaveLength(2)
      expect(keys[1]).toBe(keys[0])
      const { balances } = await ask<{ balances: object[] }>('GET', '/v1/paper/account')
      expect(balances).toMatchObject([{ venue: 'kalshi', currency: 'USD', cash: '10500' }])
      await page.unroute('**/v1/paper/account/deposit')
      // The browser itself logs the lost answer.
      complaints.length = 0
    })

    it('shows a refusal in the server’s words', async () => {
      await deposit('2000000')
      await region('Cash')
        .getByRole('alert')
        .getByText(/amount: must be above 0, and at most 1000000/)
        .waitFor()
      complaints.length = 0
    })

    it('shows an order that rests with its reservation and its place in the queue', async () => {
      await buy(await findOutcome(), '0.01')
      await rowsOf('Paper orders').first().getByRole('button').click()
      const order = region('Chosen paper order')
      await order.getByText(/^[\d.,]+ contracts when it began to rest$/).waitFor()
      await order.getByText(/^0\.\d+ in cash$/).waitFor()
    })

    it('shows a fill with what it follows from, and the position that it opened with its marks', async () => {
      await buy(await findOutcome(), '0.99')
      await rowsOf('Paper fills').first().getByRole('button').click()
      const fill = region('Chosen paper fill')
      await fill.getByText(/^epoch \d+, sequence number \d+$/).waitFor()
      await fill.getByText('taken from the book', { exact: true }).waitFor()
      await rowsOf('Positions').filter({ hasText: 'kalshi' }).first().getByRole('button').click()
      await region('Chosen position')
        .getByRole('row', { name: /^middle of the book/ })
        .waitFor()
      await region('Equity by venue')
        .getByRole('row', { name: /^kalshi USD 10,/ })
        .waitFor()
    })

    it('is accessible in both themes, and fits a phone, with all of its parts open', async () => {
      for (const name of ['Chosen paper order', 'Chosen paper fill', 'Chosen position']) await region(name).waitFor()
      await expectToFit(page, 'Paper')
    })

    it('resets only after a confirmation, and keeps what happened before', async () => {
      await page.getByRole('button', { name: 'Reset account…' }).click()
      await page.getByRole('button', { name: 'Keep them' }).click()
      await page.getByRole('button', { name: 'Reset account…' }).click()
      await page.getByRole('button', { name: 'Reset: give up all orders and positions' }).click()
      await page.getByText(/^Reset: cash is 10,000 everywhere/).waitFor()
      await region('Cash by venue')
        .getByRole('row', { name: /^kalshi USD 10,000 0 10,000/ })
        .waitFor()
      await page.getByText('No working orders.', { exact: true }).waitFor()
      await rowsOf('Paper fills').first().waitFor()
      await page.getByLabel('working only').uncheck()
      await rowsOf('Paper orders').filter({ hasText: 'canceled' }).first().waitFor()
    })

    it('shows a key that only reads what it may read', async () => {
      await open('Status')
      await page.route('**/v1/account', async (route) => {
        const response = await route.fetch()
        const json = await response.json()
        await route.fulfill({ response, json: { ...json, data: { ...json.data, scopes: ['read'] } } })
      })
      await open('Paper')
      await region('Missing scope').waitFor()
      await rowsOf('Paper fills').first().waitFor()
      expect(await page.getByRole('button', { name: 'Deposit', exact: true }).count()).toBe(0)
      await page.unroute('**/v1/account')
    })

    it('caused no layout shift, and broke no policy', async () => {
      await expectToStandStill(page)
      await expectNoComplaints(complaints)
    })
  })
}
