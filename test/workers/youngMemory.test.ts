import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { programOptions } from '../support/programOptions.ts'

test('a thread has the young memory it is given, whatever the options of the program', async () => {
  const program = fileURLToPath(new URL('./youngMemory.main.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [...programOptions, program])
  const [usual, more] = JSON.parse(stdout) as [number, number]
  expect(usual).toBeLessThanOrEqual(8)
  expect(more).toBeGreaterThan(16)
})
