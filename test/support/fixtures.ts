// The location of recordings: next to the project, in ../shared/fixtures. They are not part of the project; tests skip with a reason
// without them.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Absolute path of a shared recording, null when this checkout has none next to it. */
export function sharedFixture(path: string): string | null {
  const absolute = fileURLToPath(new URL(`../../../shared/fixtures/${path}`, import.meta.url))
  return existsSync(absolute) ? absolute : null
}
