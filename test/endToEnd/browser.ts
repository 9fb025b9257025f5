// A page for tests that tells what went wrong on it, and what every page of ours promises.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { executablePath } from '#test/support/chromium'
import { partOf } from '#test/support/inTurn'
import { lacks } from '#test/support/required'

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
 * `complaints`: what the browser held against the page: broken policy, exceptions, answers that failed. A 503 is none any more once the page has asked
 * again and been answered: a program on a busy machine may say so.
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
  await page.addInitScript(tellViolations)
  return page
}

/** A test that failed is reported with what its page showed: what it waited for says little about why. */
export function reportShown(page: () => Page | undefined): void {
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return
    const shown = await page()?.locator('body').ariaSnapshot({ timeout: 2_000 })
    throw new Error(`the page showed: ${shown ?? 'nothing'}`)
  })
}

/** Waits for the page to get over what it may. */
export const expectNoComplaints = (complaints: readonly string[]): Promise<void> =>
  expect.poll(() => [...complaints], { timeout: patience }).toEqual([])

/** How far things may move on a page that nobody moved, in all (Cumulative Layout Shift); 0.1 is what is called good. */
const shiftMax = 0.05

export async function expectToStandStill(page: Page): Promise<void> {
  const shifted = (await page.evaluate('shifted')) as Record<string, { by: number; what: string[] }>
  for (const [place, { by, what }] of Object.entries(shifted))
    expect(by, `${place}: ${what.join('; ')}`).toBeLessThan(shiftMax)
}

const looks = [
  // Dark first: only a theme that was chosen stands in the document.
  ['dark', phone],
  ['dark', wide],
  ['light', wide],
  ['light', phone],
] as const

/**
 * In both themes and at both widths: no rule of accessibility is broken, and nothing sticks out. A short run takes each theme and each width once,
 * and the other two pairs the next day. Leaves the page wide and light.
 */
export async function expectToFit(page: Page, name: string): Promise<void> {
  for (const [theme, size] of partOf(looks, 2)) {
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
  /** What it would be, and whether it is. */
  value: [kind: string, outcome: string]
  message: string
  snippet: string
}

/** Rules broken, with where. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(checker)
  const { results } = (await page.evaluate("new ace.Checker().check(document, ['WCAG_2_2'])")) as { results: Checked[] }
  // Every rule that was looked at stands there, kept or not.
  expect(results.length).toBeGreaterThan(100)
  return results
    .filter(({ value: [kind, outcome] }) => kind === 'VIOLATION' && outcome === 'FAIL')
    .map(({ ruleId, message, snippet }) => `${ruleId}: ${message} ${snippet.slice(0, 120)}`)
}

/** Runs in the page: a broken policy of which the page itself takes no notice is an error as well. */
const tellViolations = `
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
    console.error('policy: ' + effectiveDirective + ' ' + blockedURI + ' ' + sourceFile))
`

/** Runs in the page: sums up by place how far things moved that nobody moved, and says which. A number that is another stays where it is. */
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
