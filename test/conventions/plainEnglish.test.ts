// Words that the pages and the messages do without: say who it is (a client, the operator, a venue), or leave it out.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const phrases =
  /\b(?:somebody|nobody|everybody|anybody|whoever|anew|for want of|is told of|beats the matcher|as it always was)\b/i
/** A list of words to match is no message. */
const data = /^src\/(?:matching|lab)\//

const filesIn = (folder: string, extension: string, recursive = true): string[] =>
  readdirSync(join(root, folder), { recursive, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .map((name) => join(folder, name))

const linesOf = (file: string): [where: string, text: string][] =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .map((text, i) => [`${file}:${i + 1}`, text])

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'sdk/typescript/README.md', 'sdk/python/README.md'],
  ...['src/lab/README.md', 'ops/alerts.yml', '.env.example'],
  ...filesIn('docs', '.md', false),
]
const sources = ['src', 'schemas', 'actors', 'workers']
  .flatMap((folder) => filesIn(folder, '.ts'))
  .filter((file) => !data.test(file))

it('pages name who they mean', () => {
  expect(pages.flatMap(linesOf).filter(([, text]) => phrases.test(text.replace(/`[^`]*`|\]\([^)]*\)/g, '')))).toEqual(
    [],
  )
})

it('messages name who they mean', () => {
  expect(sources.length).toBeGreaterThan(1_000)
  const sentences = (line: string): string[] =>
    /^\s*(?:\/\/|\/?\*)/.test(line) ? [] : (line.match(/'[^'\n]* [^'\n]*'|"[^"\n]* [^"\n]*"|`[^`\n]* [^`\n]*`/g) ?? [])
  expect(sources.flatMap(linesOf).filter(([, line]) => sentences(line).some((text) => phrases.test(text)))).toEqual([])
})
