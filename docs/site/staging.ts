// Prepares the repository's pages for the site: their locations, and the targets of their links.
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

const pageGlobs = ['*.md', 'docs/*.md', 'docs/decisions/*.md', 'sdk/*/README.md', 'src/**/README.md']
const images = 'docs/images'
/** Served as they are. */
const examples = 'docs/examples'

export function stage(root: string, staged: string): void {
  rmSync(staged, { recursive: true, force: true })
  const pages = globSync(pageGlobs, { cwd: root })
  const files = readdirSync(join(root, examples)).map((name) => `${examples}/${name}`)
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(staged, path)), { recursive: true })
    writeFileSync(join(staged, path), text)
  }
  const shown = { pages: new Set(pages), files: new Set(files) }
  const read = (path: string): string => readFileSync(join(root, path), 'utf8')
  for (const page of pages) write(page, withSiteLinks(read(page), page, shown))
  // It is at the root of the site, wherever it is in the repository.
  write('public/llms.txt', withSiteLinks(read('docs/llms.txt'), 'docs/llms.txt', shown))
  for (const file of files) write(`public/${file}`, read(file))
  cpSync(join(root, images), join(staged, images), { recursive: true })
}

interface Shown {
  pages: ReadonlySet<string>
  files: ReadonlySet<string>
}

/** Code is left alone. */
const codeOrLink = /```[\s\S]*?```|`[^`\n]*`|(?<!!)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g

/** A link to something that the site does not have becomes its text. */
export const withSiteLinks = (text: string, page: string, shown: Shown): string =>
  text.replaceAll(codeOrLink, (whole, words?: string, link?: string) => {
    if (words === undefined || link === undefined || /^([a-z]+:|#)/.test(link)) return whole
    const target = onSite(page, link, shown)
    return target === null ? words : `[${words}](${target})`
  })

function onSite(page: string, link: string, { pages, files }: Shown): string | null {
  const [path = '', anchor] = link.split('#')
  const target = posix.normalize(posix.join(posix.dirname(page), path)).replace(/\/$/, '')
  const after = anchor === undefined ? '' : `#${anchor}`
  if (target === 'README.md') return `/${after}`
  if (pages.has(target)) return `/${target.replace(/\.md$/, '')}${after}`
  if (pages.has(`${target}/index.md`)) return `/${target}/${after}`
  return files.has(target) ? `/${target}` : null
}
