// The dashboard's pages of the tape, of traders and of sports, in a browser and by real clicks, and its texts for empty and disabled pages.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { executablePath, openBrowser, signIn } from '#test/support/chromium'
import { expectNoComplaints, expectToFit, expectToStandStill, openPage, patience, reportShown } from './browser.ts'

interface Address {
  url: string
  apiKey: string
}

/** Declares the tests; call it once the program serves. `address`: its address, with a key that may trade. */
export function describeDashboardPages(address: () => Address): void {
  describe.skipIf(executablePath === undefined)('more of the dashboard', { timeout: 90_000 }, () => {
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

    it('shows the completeness of the tape, outcome by outcome, with its watermark', async () => {
      await open('Tape')
      await page.getByLabel('Venue').selectOption('kalshi')
      await page.getByText(/Watermark: everything received by/).waitFor()
      const strips = page
        .getByRole('table', { name: 'Coverage' })
        .getByRole('img', { name: /(complete|not taped), \d+ gaps$/ })
      await strips.first().waitFor()
      expect(await page.locator('.heat rect.before').count()).toBeGreaterThan(0)
      await page.getByRole('table', { name: 'Coverage' }).getByRole('button').first().click()
      await page.getByRole('region', { name: 'Gaps', exact: true }).waitFor()
    })

    it('shows the gaps of an outcome with their reasons', async () => {
      const at = (ms: number): string => new Date(Date.now() - ms).toISOString()
      const row = {
        venue: 'kalshi',
        outcomeId: 'BROKEN',
        mechanism: 'ws-lossless',
        effectiveIntervalMs: null,
        tapeSince: at(7_200_000),
        tradesSince: null,
        depthSince: null,
        tradesUntil: null,
        completeUntil: at(0),
        gaps: [{ kind: 'gap', from: at(1_800_000), to: at(900_000), reason: 'the feed broke' }],
        gapsTruncated: false,
      }
      const rows = [row, ...Array.from({ length: 9_999 }, (_, i) => ({ ...row, outcomeId: `O${i}`, gaps: [] }))]
      await page.route('**/v1/history/coverage?*', (route) =>
        route.fulfill({ json: { success: true, data: rows, meta: { completeUntil: at(0) } } }),
      )
      await page.getByRole('combobox', { name: 'Period' }).selectOption('last 6 hours')
      await page.getByText('10,000 outcomes', { exact: false }).waitFor()
      const table = page.getByRole('table', { name: 'Coverage' })
      await table.getByRole('img', { name: /1 gaps$/ }).waitFor()
      expect(await page.locator('.heat rect.lost').count()).toBe(1)
      expect(await table.getByRole('row').count()).toBeLessThan(60)
      await table.getByRole('button', { name: 'BROKEN' }).click()
      await page.getByRole('region', { name: 'Gaps', exact: true }).getByText('the feed broke').waitFor()
      await page.unroute('**/v1/history/coverage?*')
      // No market has that name: the browser itself logs the response.
      complaints.length = 0
    })

    it('replays the tape: at a speed, paused, resumed, and from another position', async () => {
      await page.getByRole('combobox', { name: 'Period' }).selectOption('last hour')
      const table = page.getByRole('table', { name: 'Coverage' })
      await table.getByRole('button').first().click()
      const replay = page.getByRole('region', { name: 'Replay', exact: true })
      const speed = replay.getByLabel('Speed, ×')
      await speed.fill('1001')
      await replay.getByText('Enter a speed from 0.1 to 1,000.').waitFor()
      expect(await replay.getByRole('button', { name: 'Play' }).isDisabled()).toBe(true)
      await speed.fill('10')
      await speed.press('Tab')
      await replay.getByRole('button', { name: 'Play' }).click()
      await replay.getByText('playing').waitFor()
      await replay.getByText(/\d+ frames, last at/).waitFor()
      await replay
        .locator('.replayed-book')
        .getByText(/^spread \d/)
        .waitFor()
      await replay.getByRole('button', { name: 'Pause' }).click()
      await replay.getByText('paused').waitFor()
      const scrubber = replay.getByRole('slider')
      const before = Number(await scrubber.inputValue())
      await replay.getByRole('button', { name: 'Resume' }).click()
      await vi.waitFor(async () => expect(Number(await scrubber.inputValue())).toBeGreaterThan(before), {
        timeout: patience,
      })
      // By keyboard: to the end.
      await scrubber.focus()
      await page.keyboard.press('End')
      await replay.getByText('finished').waitFor()
      await page.keyboard.press('Home')
      await replay.getByText('stopped').waitFor()
      await replay.getByRole('button', { name: 'Play' }).waitFor()
    })

    it('ranks traders, and shows one: figures, known positions, trades', async () => {
      await open('Traders')
      await page.getByLabel('Venue').selectOption('polymarket')
      await page.getByRole('table', { name: 'Leaderboard' }).getByRole('link').first().click()
      await page.getByRole('heading', { name: 'Positions' }).waitFor()
      await page.getByText(/Venues do not report all that a wallet holds/).waitFor()
      await page.getByRole('region', { name: 'Its trades' }).getByRole('row').nth(1).waitFor()
      await page.getByRole('link', { name: 'All traders' }).click()
      await page.getByRole('table', { name: 'Leaderboard' }).waitFor()
    })

    it('shows games, and the same bet at each venue', async () => {
      await open('Sports')
      await page.getByRole('table', { name: 'Games' }).getByRole('link').first().click()
      await page.getByText('unknown: no connected venue reports scores').waitFor()
      const prices = page.getByRole('region', { name: 'Prices by venue' })
      await prices
        .getByRole('row', { name: /kalshi/ })
        .first()
        .waitFor()
      await prices
        .getByRole('row', { name: /polymarket/ })
        .first()
        .waitFor()
      await page.getByRole('region', { name: 'Markets by bet' }).getByRole('link').first().waitFor()
    })

    it('decides on template pairs by single keys, and undoes the last decision', async () => {
      const market = (venue: string) => {
        const outcomes = ['Yes', 'No'].map((label) => ({ outcomeId: label, label, price: 0.4 }))
        return { venue, marketId: 'M1', title: 'A title', url: 'https://example.org', outcomes, openInterest: 5 }
      }
      const fields = [{ field: 'title', a: 'Will Ada Berg win?', b: 'Ada Berg wins?', equal: false }]
      const example = { a: market('kalshi'), b: market('polymarket'), fields, band: 'minor', differences: ['a word'] }
      const pairs = ['a', 'b'].map((name) => ({
        ...{ key: name.repeat(32), a: `Will {person} win ${name}?`, b: `{person} wins ${name}?`, slots: [] },
        ...{ pairs: 2, openInterest: 10, edge: 0.1, value: 3 },
      }))
      const decided = new Set<string>()
      const sent: string[] = []
      await page.route('**/fetchOHLCV?*', (route) => route.fulfill({ json: { success: true, data: [] } }))
      await page.route(/\/v1\/matching\/templates/, (route) => {
        const request = route.request()
        const [, key = '', verb] = /templates\/(\w+)(?:\/(\w+))?/.exec(request.url()) ?? []
        if (verb === 'decide') decided.add(key)
        if (verb === 'withdraw') decided.delete(key)
        if (verb !== undefined) sent.push(`${verb} ${key[0]} ${request.postData()}`)
        const open = pairs.filter((pair) => !decided.has(pair.key))
        const shown = { ...pairs.find((pair) => pair.key === key), examples: [example], decisions: [] }
        const data = verb !== undefined ? {} : key === '' ? open : shown
        return route.fulfill({ json: { success: true, data, meta: { open: open.length } } })
      })
      await open('Review')
      const pair = page.getByRole('region', { name: 'Template pair', exact: true })
      await pair.getByText('Will {person} win a?').waitFor()
      await pair.getByRole('row', { name: /Will Ada Berg win\?/ }).waitFor()
      await expectToFit(page, 'Review')
      await page.getByRole('heading', { name: 'Review', level: 1 }).click()
      await page.keyboard.press('y')
      await pair.getByText('Will {person} win b?').waitFor()
      await page.keyboard.press('u')
      await pair.getByText('Will {person} win a?').waitFor()
      await page.keyboard.press('r')
      await pair.getByRole('button', { name: /subset/ }).waitFor()
      await page.keyboard.press('3')
      await pair.getByText('Will {person} win b?').waitFor()
      await page.keyboard.press('s')
      await page.getByText('No template pair waits for a decision.').waitFor()
      const [a] = pairs.map(({ key }) => key[0])
      expect(sent).toEqual([
        `decide ${a} {"relation":"identity"}`,
        `withdraw ${a} {}`,
        `decide ${a} {"relation":"subset"}`,
      ])
      await page.unroute(/\/v1\/matching\/templates/)
      await page.unroute('**/fetchOHLCV?*')
    })

    it('confirms and rejects pairs whose prices differ, with the name of the reviewer, and undoes the last one', async () => {
      const market = (venue: string, marketId: string) => {
        const outcomes = ['Yes', 'No'].map((label) => ({ outcomeId: label, label, price: 0.4 }))
        return { venue, marketId, title: `Title ${marketId}`, url: 'https://example.org', outcomes, openInterest: 5 }
      }
      const fields = [{ field: 'rules', a: 'By the list.', b: 'By the jury.', equal: false }]
      const pairs = ['M1', 'M2'].map((id) => ({
        ...{ a: market('kalshi', id), b: market('polymarket', id), fields, band: 'minor', differences: [] },
        ...{ polarity: 'same', quotes: { a: { bid: 0.4, ask: 0.42 }, b: { bid: 0.6, ask: null } }, excess: 0.15 },
        ...{ since: '2026-11-29T23:00:00Z', demotedAt: '2026-11-30T00:00:00Z', observedAt: '2026-11-30T00:00:00Z' },
      }))
      const reviewed = new Set<string>()
      const sent: string[] = []
      await page.route('**/fetchOHLCV?*', (route) => route.fulfill({ json: { success: true, data: [] } }))
      await page.route(/\/v1\/matching\/priceDifferences/, (route) => {
        const body = route.request().postDataJSON() as { a: { marketId: string }; action: string; by?: string } | null
        if (body !== null) {
          sent.push(`${body.action} ${body.a.marketId} ${body.by ?? '-'}`)
          if (body.action === 'withdraw') reviewed.delete(body.a.marketId)
          else reviewed.add(body.a.marketId)
        }
        return route.fulfill({ json: { success: true, data: pairs.filter(({ a }) => !reviewed.has(a.marketId)) } })
      })
      await open('Review')
      await page.getByRole('link', { name: 'Price differences', exact: true }).click()
      const section = page.getByRole('region', { name: 'Price differences', exact: true })
      const [first, second] = pairs.map(({ a, b }) =>
        section.getByRole('article', { name: `kalshi:${a.marketId} polymarket:${b.marketId}` }),
      )
      await first!.getByText('Yes 0.40 / 0.42').waitFor()
      await first!.getByText('Yes 0.60 / —').waitFor()
      await first!.getByText('Fields, rules and prices').click()
      await first!.getByRole('row', { name: /By the jury/ }).waitFor()
      await expectToFit(page, 'Review')
      await page.getByLabel('Your name').fill('ann')
      await first!.getByRole('button', { name: 'Confirm' }).click()
      await first!.waitFor({ state: 'detached' })
      await second!.getByRole('button', { name: 'Reject' }).click()
      await section.getByText('No pair waits for a review of its prices.').waitFor()
      await section.getByRole('button', { name: 'Undo' }).click()
      await second!.waitFor()
      await page.getByLabel('Your name').fill('')
      expect(sent).toEqual(['pin M1 ann', 'forbid M2 ann', 'withdraw M2 ann'])
      await page.unroute(/\/v1\/matching\/priceDifferences/)
      await page.unroute('**/fetchOHLCV?*')
    })

    it.each([
      [
        'Traders',
        404,
        'ROUTE_NOT_FOUND',
        'Traders: switched off on this deployment. Set CROSSBOOK_TRADERS=true to enable.',
      ],
      [
        'Sports',
        404,
        'ROUTE_NOT_FOUND',
        'Sports: switched off on this deployment. Set CROSSBOOK_SPORTS=true to enable.',
      ],
      ['Sports', 503, 'SPORTS_SCREEN_UNAVAILABLE', 'Sports: unavailable right now (not yet).'],
      ['Tape', 503, 'HISTORY_UNAVAILABLE', 'History: unavailable right now (not yet).'],
    ])('shows a clear text when %s answers %i %s', async (name, status, code, words) => {
      const dark = /\/v1\/(traders|sports|history)\//
      const json = { success: false, error: { code, message: 'not yet' } }
      await page.route(dark, (route) => route.fulfill({ status, json }))
      await open('Keys and usage')
      await open(name)
      await page.getByText(words).waitFor()
      await page.unroute(dark)
      complaints.length = 0
    })

    it('shows the outcome of a webhook’s attempts, and a text for every empty table', async () => {
      const call = (method: string, path: string, body?: unknown): Promise<Response> =>
        fetch(`${address().url}${path}`, {
          method,
          headers: { authorization: `Bearer ${address().apiKey}`, 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
      const made = await call('POST', '/v1/webhooks', {
        url: 'https://nobody.invalid/',
        events: ['matcher.run.completed'],
      })
      const { id } = ((await made.json()) as { data: { id: string } }).data
      expect((await call('POST', `/v1/webhooks/${id}/test`, {})).status).toBe(200)
      await open('Orders')
      const deliveries = page.getByRole('region', { name: 'Deliveries to https://nobody.invalid/' })
      await deliveries.getByRole('row', { name: /webhook\.test.*(refused|network error|timeout)/ }).waitFor()
      expect((await call('DELETE', `/v1/webhooks/${id}`)).ok).toBe(true)
      await page.getByText('No conditional orders yet.').waitFor()
      await open('Markets')
      await page.getByLabel('Search titles').fill('no such question anywhere')
      await page.getByText('No markets match.').waitFor()
      await page.getByLabel('Search titles').fill('')
    })

    it.each(['Traders', 'Sports', 'Tape'])('is accessible in both themes, and fits a phone: %s', async (name) => {
      await open(name)
      if (name === 'Tape') {
        await page.getByRole('table', { name: 'Coverage' }).getByRole('button').first().click()
        await page.getByRole('region', { name: 'Replay', exact: true }).waitFor()
      } else {
        await page.locator('.long').getByRole('link').first().click()
        await page.locator('section.card table').first().waitFor()
      }
      await expectToFit(page, name)
    })

    it('caused no layout shift, and broke no policy', async () => {
      await expectToStandStill(page)
      await expectNoComplaints(complaints)
    })
  })
}
