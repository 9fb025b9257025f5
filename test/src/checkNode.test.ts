// Programs started with an unsupported Node version, which the process is made to report.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

function startUnder(version: string, file: string): Promise<{ code: unknown; stderr: string }> {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, file, '--version'],
      { cwd: root, timeout: 60_000 },
      (error, _, stderr) => resolve({ code: error?.code ?? 0, stderr }),
    )
  })
}

it.each([
  ['24.1.0', 'src/main.ts'],
  ['24.1.0', 'lab/demo.ts'],
  ['24.1.0', 'src/cli.ts'],
  ['20.20.2', 'src/cli.mjs'],
  ['20.20.2', 'src/checkNode.mjs'],
  ['22.10.0', 'src/checkNode.mjs'],
])('under Node %s, %s prints its version and how to get the right one', async (version, file) => {
  const { code, stderr } = await startUnder(version, file)
  expect(code).toBe(1)
  expect(stderr).toContain(`Crossbook was started with Node ${version}, and runs on Node 22`)
  expect(stderr).toContain('`npm start`')
  expect(stderr).not.toMatch(/\n\s+at /)
})

it('npm scripts and the command check the version before Node reads TypeScript, which older versions cannot', () => {
  const { scripts, bin } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  for (const name of ['start', 'demo']) expect(scripts[name]).toMatch(/^node src\/checkNode\.mjs && exec node /)
  expect(bin.crossbook).toBe('./src/cli.mjs')
})
