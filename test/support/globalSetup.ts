// A folder of the whole test run, for what test processes share until they are ended: a killed process removes nothing.
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Variable that test processes find it in. */
export const testHome = 'CROSSBOOK_TEST_HOME'

/** Once for each project; the first makes the folder. */
export default function setup(): () => Promise<void> {
  process.env[testHome] ??= mkdtempSync(join(tmpdir(), 'crossbook-tests-'))
  const home = process.env[testHome]
  // Servers that were left with their process may still be writing their last.
  return () => rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
