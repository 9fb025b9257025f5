// Names and sentences use the field's terms, not a private vocabulary (test/support/plainEnglish/words.ts).
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { type FoundWord, sourceWords, wordsOfName, wordsOfSentence } from '#test/support/plainEnglish/sourceWords'
import { avoidedInNames, avoidedInProse } from '#test/support/plainEnglish/words'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Of 1,000 words. */
const namesMax = 0.5
const proseMax = 1

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
const sources = tracked.filter((file) => /\.tsx?$/.test(file) && !file.includes('/generated/'))
const pages = tracked.filter((file) => file.endsWith('.md') && !file.includes('/fixtures/'))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Where avoided words are, if they are more than `max` of 1,000; otherwise nothing. */
function excess(found: readonly FoundWord[], avoided: ReadonlySet<string>, max: number): string[] {
  const hits = found.filter(({ word }) => avoided.has(word))
  const share = (hits.length / Math.max(1, found.length)) * 1_000
  return share <= max
    ? []
    : [
        `${share.toFixed(2)} of 1,000 words`,
        ...hits.map(({ file, line, word, text }) => `${file}:${line} ${word}: ${text}`),
      ]
}

describe('source files', () => {
  const names: FoundWord[] = []
  const prose: FoundWord[] = []

  beforeAll(() => {
    for (const file of sources) {
      const words = sourceWords(file, read(file))
      names.push(...words.names)
      prose.push(...words.prose)
    }
  }, 60_000)

  it('are read completely', () => {
    expect(sources.length).toBeGreaterThan(2_500)
    expect([names.length > 200_000, prose.length > 300_000]).toEqual([true, true])
  })

  it('declare names in standard terms', () => {
    expect(excess(names, avoidedInNames, namesMax)).toEqual([])
  })

  it('have comments, messages and test titles in plain English', () => {
    expect(excess(prose, avoidedInProse, proseMax)).toEqual([])
  })
})

it('files are named in standard terms', () => {
  // Migrations keep the names under which they were applied.
  const named = tracked
    .filter((file) => !file.startsWith('schemas/sql/'))
    .map((file) => [file, wordsOfName(basename(file))] as const)
  expect(named.filter(([, words]) => words.some((word) => avoidedInNames.has(word))).map(([file]) => file)).toEqual([])
})

it('pages are in plain English', () => {
  expect(pages.length).toBeGreaterThan(80)
  const found = pages.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((text, i) => wordsOfSentence(text).map((word) => ({ word, text, file, line: i + 1 }))),
  )
  expect(excess(found, avoidedInProse, proseMax)).toEqual([])
})
