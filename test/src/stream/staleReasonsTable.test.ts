// The table of stale reasons in the docs is that of the program.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { staleReasons } from '#schemas/staleReason'

const page = readFileSync(new URL('../../../docs/stream.md', import.meta.url), 'utf8')

test('docs/stream.md explains every stale reason in the words of the program', () => {
  const [, table = ''] = page.split('| `staleReason` | meaning |\n')
  const rows = [...table.split('\n\n')[0]!.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, reason, text]) => [
    reason,
    text,
  ])
  expect(rows).toEqual(Object.entries(staleReasons))
})
