// A folder of the whole test run, for data that test processes share until they end: a killed process deletes nothing.
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Environment variable in which test processes find it. */
export const testHome = 'CROSSBOOK_TEST_HOME'

/** Once for each project; the first creates the folder. */
export default function setup(): () => Promise<void> {
  process.env[testHome] ??= mkdtempSync(join(tmpdir(), 'crossbook-tests-'))
  const home = process.env[testHome]
  // Servers left by their process may still be writing their last data.
  return () => rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
