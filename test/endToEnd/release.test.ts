// A release, rehearsed: from a clean copy to packages that install. The image needs Docker and is left out here.
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { version } from '#core/version'
import { cloneProject, commitAll, hasHistory } from '#test/support/cloneProject'
import { isLong } from '#test/support/shortRuns'

const run = promisify(execFile)
let home: string
let clone: string

beforeAll(() => {
  if (!hasHistory) return
  home = mkdtempSync(join(tmpdir(), 'crossbook-release-'))
  clone = join(home, 'project')
  cloneProject(clone)
})
afterAll(() => {
  if (hasHistory) rmSync(home, { recursive: true, force: true })
})

const release = (...words: string[]) =>
  run(join(clone, '.ci/release'), words, { cwd: home, maxBuffer: 1 << 24 }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, output: stderr }),
  )

/** Restores the file afterwards. */
async function changed<T>(file: string, change: (text: string) => string, look: () => Promise<T>): Promise<T> {
  const before = readFileSync(join(clone, file), 'utf8')
  const after = change(before)
  expect(after, file).not.toBe(before)
  writeFileSync(join(clone, file), after)
  commitAll(clone, 'changed')
  try {
    return await look()
  } finally {
    writeFileSync(join(clone, file), before)
    commitAll(clone, 'as before')
  }
}

describe.runIf(hasHistory)('versions', () => {
  it('agree', async () => {
    expect(await release('--check')).toMatchObject({
      code: 0,
      output: expect.stringContaining(`version ${version} of `),
    })
  }, 60_000)

  it('with unreleased changes are a rehearsal, and refused as final', async () => {
    const pending = (text: string): string =>
      text.replace('## [Unreleased]\n', '## [Unreleased]\n\n- One more change.\n')
    await changed('CHANGELOG.md', pending, async () => {
      const { code, output } = await release('--check')
      expect([code, output]).toEqual([0, expect.stringMatching(/^rehearsal: .* lines pending$/m)])
      expect(await release('--check', '--final')).toMatchObject({
        code: 1,
        output: expect.stringContaining(`## [${version}]`),
      })
    })
  }, 60_000)

  it.each([
    ['src/core/version.ts', (text: string) => text.replace(version, '9.9.9')],
    ['sdk/typescript/package.json', (text: string) => text.replace(`"version": "${version}"`, '"version": "9.9.9"')],
    ['sdk/python/src/crossbook/generated/contract.py', (text: string) => text.replace(version, '9.9.9')],
    [
      'CHANGELOG.md',
      (text: string) =>
        text.replace('## [Unreleased]\n', '## [Unreleased]\n\n## [99.0.0] - 2099-01-01\n\n- A change.\n'),
    ],
  ])(
    'are refused where %s has another one',
    async (file, change) => {
      const { code, output } = await changed(file, change, () => release('--check'))
      expect([code, output]).toEqual([1, expect.stringMatching(/9\.9\.9|99\.0\.0/)])
    },
    60_000,
  )

  it('of a release are in the changelog, with nothing unreleased', async () => {
    const heading = `## [${version}] - 2026-12-01\n`
    const done = (text: string): string =>
      text.replace(new RegExp(`## \\[${version}\\].*\n`), '').replace('## [Unreleased]\n', heading)
    expect(await changed('CHANGELOG.md', done, () => release('--check', '--final'))).toMatchObject({ code: 0 })
  }, 60_000)

  it('ignore what is not committed', async () => {
    writeFileSync(join(clone, 'README.md'), 'mine')
    const { code, output } = await release('--check')
    execFileSync('git', ['checkout', '-q', 'README.md'], { cwd: clone })
    expect([code, output]).toEqual([1, expect.stringContaining('not committed')])
  })
})

describe.runIf(hasHistory && isLong)('packages', () => {
  it('are built from a clean copy with their checksums, install, and have the right content', async () => {
    const out = join(home, 'out')
    const { code, output } = await release('--out', out, '--no-image')
    expect(code, output).toBe(0)
    const [client, wheel, sdist] = [
      `crossbook-client-${version}.tgz`,
      `crossbook-${version}-py3-none-any.whl`,
      `crossbook-${version}.tar.gz`,
    ]
    expect(readdirSync(out).sort()).toEqual(['SHA256SUMS', client, wheel, sdist].sort())
    for (const line of readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim().split('\n')) {
      const [sum, name] = line.split(/\s+/)
      expect(
        createHash('sha256')
          .update(readFileSync(join(out, name!)))
          .digest('hex'),
        name,
      ).toBe(sum)
    }
    const user = join(home, 'user')
    execFileSync('mkdir', [user])
    writeFileSync(join(user, 'package.json'), '{"type":"module"}')
    await run('npm', ['install', '--no-audit', '--no-fund', join(out, client)], { cwd: user })
    const used = "import { createClient } from '@crossbook/client'; console.log(typeof createClient)"
    expect((await run('node', ['--input-type=module', '-e', used], { cwd: user })).stdout).toBe('function\n')
    const read = `import zipfile; print(zipfile.ZipFile(r"${join(out, wheel)}").read("crossbook/generated/contract.py").decode())`
    expect((await run('python3', ['-c', read])).stdout).toContain(`VERSION = "${version}"`)
    const listed = (await run('tar', ['-tzf', join(out, sdist)])).stdout
    expect(listed).toContain(`crossbook-${version}/src/crossbook/generated/models.py`)
    expect(listed).not.toMatch(/\.env|__pycache__/)
  }, 1_800_000)
})
