// The documentation as a site: the targets of its own links and those of llms.txt exist.
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stage, withSiteLinks } from '../../docs/site/staging.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let staged: string
beforeAll(() => {
  staged = mkdtempSync(join(tmpdir(), 'crossbook-site-'))
  stage(root, staged)
})
afterAll(() => rmSync(staged, { recursive: true, force: true }))

const has = (path: string): boolean =>
  ['', '.md', 'index.md', 'README.md'].some((end) => existsSync(join(staged, `${path}${end}`)) && path + end !== '/') ||
  existsSync(join(staged, 'public', path))

it('has every page, image and example that a page or llms.txt links to', () => {
  const pages = globSync('**/*.md', { cwd: staged })
  expect(pages.length).toBeGreaterThan(80)
  const dead = [...pages, 'public/llms.txt'].flatMap((page) => {
    const text = readFileSync(join(staged, page), 'utf8').replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '')
    const links = [...text.matchAll(/(?<!!)\]\(([^)\s]+)\)/g)].map(([, link]) => link!.split('#')[0]!)
    return links.filter((link) => link.startsWith('/') && !has(link)).map((link) => `${page}: ${link}`)
  })
  expect(dead).toEqual([])
  const llms = readFileSync(join(staged, 'public/llms.txt'), 'utf8')
  expect([...llms.matchAll(/\]\((?!\/|https?:)/g)]).toEqual([])
})

it('turns a link into one of the site, or into its text where the site has no such page', () => {
  const shown = { pages: new Set(['docs/a.md', 'docs/decisions/index.md']), files: new Set(['docs/examples/x.conf']) }
  const text =
    '[A](a.md#b) [R](../README.md#c) [D](decisions) [X](examples/x.conf) [S](../src) [w](https://x) [h](#h) `[c](../src)`'
  expect(withSiteLinks(text, 'docs/p.md', shown)).toBe(
    '[A](/docs/a#b) [R](/#c) [D](/docs/decisions/) [X](/docs/examples/x.conf) S [w](https://x) [h](#h) `[c](../src)`',
  )
})
