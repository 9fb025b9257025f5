// The demo as a user at a terminal sees it. Into a pipe it prints one line for programs: demo.test.ts.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { atTerminal, hasTerminal } from '#test/support/terminal'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crossbook-terminal-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

it.runIf(hasTerminal)(
  'prints short lines, a link that signs in, and no stack trace or JSON, and stops with Ctrl-C',
  async () => {
    const { seen, left } = await atTerminal(['npm', 'run', '--silent', 'demo'], [['Ctrl-C.', '\x03']], {
      PORT: '0',
      DATA_DIR: dataDir,
      CROSSBOOK_PINNED_MARKETS: '5',
    })
    expect(left, seen).toBe(0)
    const [, url, key] = /Dashboard +(http:\/\/127\.0\.0\.1:\d+)\/ui#key=(xb_test_\w+)/.exec(seen) ?? []
    expect(key, seen).toBeDefined()
    expect(seen).toContain(`API key     ${key}`)
    expect(seen).toContain(`Stream      ${url!.replace('http', 'ws')}/v1/stream`)
    expect(seen).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m)
    expect(seen).not.toMatch(/^\{/m)
    expect(seen).not.toContain('ExperimentalWarning')
    for (const line of seen.split(/\r?\n/)) expect(line.length, line).toBeLessThan(180)
  },
  100_000,
)
