// Starts Chromium if it is installed, and opens the dashboard in it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'

/** Undefined when it is not installed. */
export const executablePath = (process.env.PATH ?? '')
  .split(':')
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
  .find((path) => existsSync(path))

export function openBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('Chromium is not installed: apt-get install chromium')
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

const attempts = 5
const attemptMs = 8_000

/** Opens the dashboard with the key, using the keyboard only. A busy program may ask to try again. */
export async function signIn(page: Page, { url, apiKey }: { url: string; apiKey: string }): Promise<void> {
  await page.goto(`${url}/ui`)
  await page.getByLabel('Key').focus()
  await page.keyboard.insertText(apiKey)
  const heading = page.getByRole('heading', { name: 'Status', level: 1 })
  for (let left = attempts; left > 0; left--) {
    await page.keyboard.press('Enter')
    try {
      return await heading.waitFor({ timeout: attemptMs })
    } catch (error) {
      if (left === 1) throw error
    }
  }
}
