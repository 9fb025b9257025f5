// The TypeScript client in the other environment it supports: bundled, on a page of another origin, in a real browser.
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath, openBrowser } from '#test/support/chromium'
import { openPage } from './browser.ts'
import { root } from './printedDemo.ts'

/** The script of the page. */
const program = `
import { ApiError, createClient } from './src/index.ts'

window.walk = async (baseUrl, apiKey) => {
  const answers = []
  const client = createClient({ baseUrl, apiKey, onAnswer: (info) => answers.push(info) })
  const { data: [market] } = await client.api.fetchMarkets({ path: { exchange: 'kalshi' }, query: { limit: 1 } })
  // Keyed: the browser sends a preflight request first.
  const refusal = await client.api.buildExecution({ path: { venue: 'kalshi' }, body: {} }).catch((error) => error)
  const stream = client.stream()
  const books = stream.subscribeBook({ venue: 'kalshi', marketId: market.marketId, depth: 5 })
  const events = []
  for await (const { type, marketId, book } of books) {
    events.push({ type, marketId, book })
    if (type === 'book') break
  }
  stream.close()
  return { market, answers, events, refusal: refusal instanceof ApiError && refusal.code }
}`

interface Walked {
  market: { marketId: string }
  answers: { status: number; requestId: string | null; creditsCharged: number | null }[]
  events: { type: string; marketId?: string; book?: { bids: unknown[]; asks: unknown[] } }[]
  refusal: unknown
}

/** Declares the test; call it once the program serves. `origin`: of a page that may read its responses; it is served here. */
export function describeBrowserClient(address: () => { url: string; apiKey: string; origin: string }): void {
  describe.skipIf(executablePath === undefined)('the TypeScript client in a browser', { timeout: 60_000 }, () => {
    let browser: Browser | undefined
    let pages: Server | undefined

    beforeAll(async () => {
      const { outputFiles } = await build({
        stdin: { contents: program, resolveDir: join(root, 'sdk/typescript') },
        ...{ bundle: true, write: false, platform: 'browser', format: 'esm', target: 'es2022' },
      })
      const script = outputFiles[0]!.text
      pages = createServer(({ url }, response) => {
        const isScript = url === '/client.js'
        response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
        response.end(
          isScript ? script : '<!doctype html><link rel=icon href=data:,><script type=module src=/client.js></script>',
        )
      })
      const { hostname, port } = new URL(address().origin)
      await new Promise<void>((listening) => pages!.listen(Number(port), hostname, listening))
      browser = await openBrowser()
    }, 60_000)
    afterAll(async () => {
      await browser?.close()
      pages?.close()
    })

    it('reads a market, receives a refusal with its code, and gets a book from the stream, from another origin', async () => {
      const complaints: string[] = []
      const page = await openPage(browser!, complaints)
      const { url, apiKey, origin } = address()
      expect(new URL(url).origin).not.toBe(origin)
      await page.goto(origin)
      await page.waitForFunction('window.walk !== undefined')
      const walked = (await page.evaluate(`walk(${JSON.stringify(url)}, ${JSON.stringify(apiKey)})`)) as Walked
      const { market, answers, events, refusal } = walked
      expect(market.marketId).toMatch(/./)
      // Response headers are readable, too. On a loaded machine a 503 may precede the answer: the client repeats it.
      const successful = answers.find(({ status }) => status === 200)
      expect(successful).toMatchObject({ requestId: expect.any(String), creditsCharged: 1 })
      expect(refusal).toBe('VALIDATION_ERROR')
      expect(events[0]?.type).toBe('subscribed')
      expect(events.at(-1)).toMatchObject({ type: 'book', marketId: market.marketId })
      expect(events.at(-1)!.book!.bids.length + events.at(-1)!.book!.asks.length).toBeGreaterThan(0)
      // The browser itself logs the refused request.
      expect(complaints.filter((words) => !/status of 400/.test(words))).toEqual([])
      await page.close()
    })
  })
}
