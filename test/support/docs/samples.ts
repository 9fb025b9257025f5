// Every code sample on the pages: fenced blocks and indented ones, as in Markdown.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const projectRoot = fileURLToPath(new URL('../../..', import.meta.url))

export interface Sample {
  /** Relative to the root of the project. */
  page: string
  /** Of its first line, counted from one. */
  line: number
  /** The language of its fence; empty when it names none, or there is no fence. */
  language: string
  text: string
}

const rootPages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'lab/README.md']

export const pagesWithSamples = (): string[] => [
  ...rootPages,
  ...readdirSync(join(projectRoot, 'sdk'))
    .map((name) => join('sdk', name, 'README.md'))
    .filter((page) => existsSync(join(projectRoot, page))),
  ...readdirSync(join(projectRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('site/'))
    .map((name) => join('docs', name))
    .toSorted(),
]

export const textOf = (page: string): string => readFileSync(join(projectRoot, page), 'utf8')

export function samplesIn(page: string): Sample[] {
  const samples: Sample[] = []
  let open: Sample | null = null
  let isFenced = false
  let before = ''
  const begin = (line: number, language: string): Sample => {
    const sample = { page, line, language, text: '' }
    samples.push(sample)
    return sample
  }
  for (const [i, line] of textOf(page).split('\n').entries()) {
    const fence = /^ *```(\S*)/.exec(line)
    if (open !== null && isFenced) {
      if (fence !== null) open = null
      else open.text += `${line}\n`
    } else if (fence !== null) {
      isFenced = true
      open = begin(i + 2, fence[1]!)
    } else if (/^ {4}/.test(line) && (open !== null || before === '')) {
      isFenced = false
      open ??= begin(i + 1, '')
      open.text += `${line.slice(4)}\n`
    } else open = null
    before = line
  }
  return samples
}

/** The only sample of a page that begins with this text. */
export function sampleOf(page: string, begins: string): string {
  const found = samplesIn(page).filter(({ text }) => text.startsWith(begins))
  if (found.length !== 1) throw new Error(`${page} has ${found.length} samples that begin with ${begins}`)
  return found[0]!.text
}
