// A browser page for tests that records errors, and checks that hold for every page of ours.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { executablePath } from '#test/support/chromium'
import { lacks } from '#test/support/required'
import { sampleOf } from '#test/support/shortRuns'

if (executablePath === undefined) {
  const reason = 'Chromium is not installed: pages are not tested in a browser here'
  lacks('chromium', reason)
  console.info(reason)
}

const checker = readFileSync(
  createRequire(import.meta.url).resolve('accessibility-checker-engine/ace-window.js'),
  'utf8',
)
export const patience = 40_000
const wide = { width: 1280, height: 900 }
const phone = { width: 390, height: 800 }

/**
 * `complaints`: errors reported by the browser: policy violations, exceptions, failed responses. A 503 is removed once a repeated request
 * succeeded: a busy program may answer so.
 */
export async function openPage(browser: Browser, complaints: string[]): Promise<Page> {
  const page = await browser.newPage({ viewport: wide, locale: 'en-US' })
  page.setDefaultTimeout(patience)
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 503/.test(message.text())) complaints.push(message.text())
  })
  page.on('response', (response) => {
    const unavailable = `503 from ${response.url()}`
    const at = complaints.indexOf(unavailable)
    if (response.status() === 503) {
      if (at === -1) complaints.push(unavailable)
    } else if (at !== -1) complaints.splice(at, 1)
  })
  await page.addInitScript(countShifts)
  await page.addInitScript(reportViolations)
  return page
}

/** A failed test is reported with the content of its page: what it waited for rarely explains the failure. */
export function reportShown(page: () => Page | undefined): void {
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return
    const shown = await page()?.locator('body').ariaSnapshot({ timeout: 2_000 })
    throw new Error(`the page showed: ${shown ?? 'nothing'}`)
  })
}

/** Waits until the page has recovered from acceptable errors. */
export const expectNoComplaints = (complaints: readonly string[]): Promise<void> =>
  expect.poll(() => [...complaints], { timeout: patience }).toEqual([])

/** How far things may move on a page without user input, in total (Cumulative Layout Shift); 0.1 counts as good. */
const shiftMax = 0.05

export async function expectToStandStill(page: Page): Promise<void> {
  const shifted = (await page.evaluate('shifted')) as Record<string, { by: number; what: string[] }>
  for (const [place, { by, what }] of Object.entries(shifted))
    expect(by, `${place}: ${what.join('; ')}`).toBeLessThan(shiftMax)
}

const appearances = [
  // Dark first: the document names a theme only once it was chosen.
  ['dark', phone],
  ['dark', wide],
  ['light', wide],
  ['light', phone],
] as const

/**
 * In both themes and at both widths: no accessibility rule is broken, and nothing overflows. A short run takes each theme and each width
 * once. Leaves the page wide and light.
 */
export async function expectToFit(page: Page, name: string): Promise<void> {
  for (const [theme, size] of sampleOf(appearances, 2)) {
    await page.setViewportSize(size)
    const button = page.getByRole('button', { name: `Use the ${theme} theme` })
    if (await button.isVisible()) await button.click()
    await page.locator(`html[data-theme=${theme}]`).waitFor()
    const where = `${name}, ${theme}, ${size.width} px`
    expect(await violations(page), where).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth'), where).toBeLessThanOrEqual(size.width)
  }
  await page.setViewportSize(wide)
}

interface Checked {
  ruleId: string
  /** Its name, and whether it holds. */
  value: [kind: string, outcome: string]
  message: string
  snippet: string
}

/** Broken rules, with their locations. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(checker)
  const { results } = (await page.evaluate("new ace.Checker().check(document, ['WCAG_2_2'])")) as { results: Checked[] }
  // The report lists every rule that was checked, passed or not.
  expect(results.length).toBeGreaterThan(100)
  return results
    .filter(({ value: [kind, outcome] }) => kind === 'VIOLATION' && outcome === 'FAIL')
    .map(({ ruleId, message, snippet }) => `${ruleId}: ${message} ${snippet.slice(0, 120)}`)
}

/** Runs in the page: reports a policy violation as an error even if the page itself ignores it. */
const reportViolations = `
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
    console.error('policy: ' + effectiveDirective + ' ' + blockedURI + ' ' + sourceFile))
`

/**
 * Runs in the page: sums up unexpected layout shifts by page, and says what moved. A changed number that keeps its place does not count.
 */
const countShifts = `
  window.shifted = {}
  const nameOf = (node) => {
    const element = node instanceof Element ? node : node?.parentElement
    if (element == null) return 'what is gone'
    const card = element.closest('[aria-label]')?.getAttribute('aria-label') ?? ''
    return element.tagName.toLowerCase() + '.' + element.className + ' ' + card + ' “' + element.textContent.slice(0, 30) + '”'
  }
  const hasMoved = ({ previousRect: from, currentRect: to }) => Math.abs(from.x - to.x) >= 1 || Math.abs(from.y - to.y) >= 1
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const moved = sources.filter(hasMoved)
      if (hadRecentInput || (moved.length === 0 && sources.length > 0)) continue
      const here = (window.shifted[location.hash] ??= { by: 0, what: [] })
      here.by += value
      for (const { node, previousRect, currentRect } of moved)
        here.what.push(value.toFixed(3) + ' ' + nameOf(node) + ' from ' + [previousRect.x, previousRect.y] + ' to ' + [currentRect.x, currentRect.y])
    }
  }).observe({ type: 'layout-shift', buffered: true })
`
