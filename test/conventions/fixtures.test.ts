// Every recorded payload in the repository has a source and licence: a row of SOURCES.md, or the comment above the code that reads it.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const test = join(dirname(fileURLToPath(import.meta.url)), '..')
const folders = readdirSync(test, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name === 'fixtures')
  .map((entry) => join(entry.parentPath, entry.name))

/** A licence that permits redistribution, the venue's own documents, or written by us. */
const isAllowed = /\bMIT\b|CC[ -](BY|0)|documentation|by hand/

/** Where files and their sources are named: a row of a table, or code under its comment. */
const sourcesIn = (folder: string): { names: string; source: string }[] =>
  readdirSync(folder)
    .filter((name) => /\.(md|ts)$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      if (name.endsWith('.md')) return text.split('\n').map((line) => ({ names: line, source: line }))
      return [{ names: text, source: /^(\/\/.*\n)*/.exec(text)![0] }]
    })

it('there are some', () => expect(folders.length).toBeGreaterThanOrEqual(5))

it.each(folders.map((folder) => folder.slice(test.length + 1)))('%s', (name) => {
  const folder = join(test, name)
  for (const file of readdirSync(folder).filter((each) => !/\.(md|ts)$/.test(each))) {
    const rows = sourcesIn(folder).filter(({ names }) => names.includes(file))
    expect(rows, `${file}: name it in SOURCES.md`).not.toEqual([])
    expect(
      rows.map(({ source }) => isAllowed.test(source)),
      `${file}: under which licence?`,
    ).toContain(true)
  }
})
