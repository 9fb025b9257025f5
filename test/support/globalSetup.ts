// A folder of the whole test run, for data that test processes share until they end: a killed process deletes nothing.
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Environment variable in which test processes find it. */
export const testHome = 'CROSSBOOK_TEST_HOME'

/** Once for each project; the first creates the folder. */
export default function setup(): () => Promise<void> {
  process.env[testHome] ??= createHome()
  const home = process.env[testHome]
  // Servers left by their process may still be writing their last data.
  return () => rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

function createHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'crossbook-tests-'))
  // Node keeps what it has compiled, and TypeScript without its types, for the next process that loads the same file.
  process.env.NODE_COMPILE_CACHE ??= join(home, 'compiled')
  return home
}
