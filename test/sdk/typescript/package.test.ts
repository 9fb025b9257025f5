// The published package: the built files and nothing else, usable by a browser's bundler without changes.
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = join(root, 'sdk/typescript')
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

let packed: string[]
beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--silent'], { cwd: folder })
  const [{ files }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ files: { path: string }[] }]
  packed = files.map(({ path }) => path).sort()
}, 120_000)

it('contains the built files with their types, README and licence: no source, no test, no example, no map', () => {
  expect(packed.filter((path) => !path.startsWith('dist/'))).toEqual(['LICENSE', 'README.md', 'package.json'])
  const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => ['.js', '.d.ts'].map((end) => `dist/${path.replace(/\.ts$/, end)}`))
  expect(packed.filter((path) => path.startsWith('dist/'))).toEqual(sources.sort())
})

it('its exports exist, and it imports nothing else: no node:, no dependency', async () => {
  const { types, default: entry } = manifest.exports['.']
  for (const path of [types, entry]) expect(existsSync(join(folder, path))).toBe(true)
  expect(manifest.dependencies).toBeUndefined()
  for (const path of packed.filter((name) => name.startsWith('dist/'))) {
    const text = readFileSync(join(folder, path), 'utf8')
    expect(text, path).not.toContain('sourceMappingURL')
    for (const [, from] of text.matchAll(/^(?:import|export)\b[^'"]*\bfrom ['"]([^'"]+)['"]|\bimport\(/gm))
      expect(from, path).toMatch(path.endsWith('.d.ts') ? /^\.\.?\/.*\.ts$/ : /^\.\.?\/.*\.js$/)
    if (path.endsWith('.js')) expect(text, path).not.toMatch(/\b(process|Buffer|require|__dirname)\b/)
  }
  const client = (await import(join(folder, entry))) as Record<string, unknown>
  expect(Object.keys(client).sort()).toEqual([
    ...['ApiError', 'ConnectionError', 'CrossbookError', 'StreamError', 'WebhookVerificationError', 'artifactKind'],
    ...['createClient', 'ed25519Signer', 'executeGroup', 'followGroup', 'planClosing', 'positionKey', 'sign'],
    ...['submitLegs', 'totalsKey', 'verifyWebhook'],
  ])
})

it('the TypeScript of its README and of docs/router.md compiles against the package, without Node’s types', async () => {
  const pages = [join(folder, 'README.md'), join(root, 'docs/router.md')].map((path) => readFileSync(path, 'utf8'))
  const [own, ofRouter] = pages.map((page) => [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text]) => text!))
  expect(own!.length).toBeGreaterThan(4)
  expect(ofRouter).toHaveLength(1)
  const blocks = [...own!, ...ofRouter!]
  const consumer = mkdtempSync(join(tmpdir(), 'crossbook-client-'))
  try {
    mkdirSync(join(consumer, 'node_modules/@crossbook'), { recursive: true })
    symlinkSync(folder, join(consumer, 'node_modules/@crossbook/client'))
    writeFileSync(join(consumer, 'package.json'), '{"type":"module"}')
    const files = blocks.map((_, i) => `block${i}.ts`)
    for (const [i, file] of files.entries()) writeFileSync(join(consumer, file), `${blocks[i]}\nexport {}\n`)
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom']
    const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), [...options, ...files], { cwd: consumer }).catch(
      (failed: { stdout: string }) => failed,
    )
    expect(stdout).toBe('')
  } finally {
    rmSync(consumer, { recursive: true, force: true })
  }
}, 60_000)
