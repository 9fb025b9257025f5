// Where recordings stand: beside the project in ../shared/fixtures. They are not part of the project; tests skip clearly without them.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Absolute path of a shared recording, null when this checkout stands alone. */
export function sharedFixture(path: string): string | null {
  const absolute = fileURLToPath(new URL(`../../../shared/fixtures/${path}`, import.meta.url))
  return existsSync(absolute) ? absolute : null
}
