import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { optionsOf, programOptions } from '#test/support/programOptions'

const dockerfile = readFileSync(fileURLToPath(new URL('../../Dockerfile', import.meta.url)), 'utf8')

// docs/decisions/0001: without them a garbage collection waits for helper threads, and blocks the event loop.
it('Node gets the same options however the program is started', () => {
  expect(programOptions).toEqual(['--v8-pool-size=1', '--max-semi-space-size=4'])
  expect(optionsOf('demo')).toEqual(programOptions)
  expect(JSON.parse(/^CMD (.*)$/m.exec(dockerfile)![1]!)).toEqual(['node', ...programOptions, 'src/main.ts'])
})
