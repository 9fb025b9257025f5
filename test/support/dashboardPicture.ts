// `npm run picture -- <path>.webp`: takes a picture of the dashboard of a demo that it starts.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPrintedDemo } from '#test/endToEnd/printedDemo'
import { openBrowser, signIn } from './chromium.ts'

const rowsMin = 16

const [, , path] = process.argv
if (path === undefined || !path.endsWith('.webp'))
  throw new Error('give the name of the file to write, ending in .webp')
const demo = await startPrintedDemo()
const browser = await openBrowser()
try {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 900 },
    deviceScaleFactor: 1.5,
    colorScheme: 'light',
    locale: 'en-US',
  })
  page.setDefaultTimeout(120_000)
  await signIn(page, JSON.parse(readFileSync(join(demo.dataDir, 'runtime.json'), 'utf8')))
  await page.getByRole('link', { name: 'Arbitrage', exact: true }).click()
  const rows = page.getByRole('table', { name: 'Arbitrage' }).getByRole('button')
  await rows.nth(rowsMin).waitFor()
  await rows.first().click()
  await page.getByRole('region', { name: 'Chosen row' }).getByRole('row', { name: /^NO/ }).waitFor()
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 })
  writeFileSync(path, Buffer.from(data, 'base64'))
} finally {
  await browser.close()
  await demo.stop()
}
