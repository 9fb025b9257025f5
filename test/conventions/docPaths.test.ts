// Paths of files and folders that the pages mention, compared with the repository. Text between backticks counts.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
const existing = new Set(tracked.flatMap((file) => [file, ...foldersOf(file)]))
const pages = tracked.filter((file) =>
  /^(docs\/[^/]+\.md|CONTRIBUTING\.md|README\.md|lab\/README\.md|src\/venues\/[^/]+\/README\.md)$/.test(file),
)

function foldersOf(file: string): string[] {
  const folder = dirname(file)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

const isFile = /\.(tsx?|mjs|json|sql)$/
const isBelowRoot = /^(src|actors|workers|schemas|lab|test|ui|sdk|docs|ops)\//
/** Of a family of files, of a caller's choice, or of a request: `src/venues/<venue>`, `GET /openapi.json`. */
const isNoPath = /[<>*…]|^\//

/** `a/{b,c}.ts` is `a/b.ts` and `a/c.ts`. */
function alternatives(path: string): string[] {
  const [whole, before, list, after] = /^([^{]*)\{([^{}]*)\}(.*)$/.exec(path) ?? []
  return whole === undefined ? [path] : list!.split(',').flatMap((each) => alternatives(`${before}${each}${after}`))
}

/** The words between backticks that are paths, also in commands. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code]) => code!.split(/\s+/))
    .filter((word) => word.includes('/') && !isNoPath.test(word) && (isFile.test(word) || isBelowRoot.test(word)))
    .flatMap(alternatives)
    .map((path) => path.replace(/\/$/, ''))

/** A venue's page may name its own files and their tests from its folder. */
function placesOf(page: string, path: string): string[] {
  const venue = /^src\/venues\/([^/]+)\//.exec(page)?.[1]
  return venue === undefined ? [path] : [path, join(dirname(page), path), join('test/src/venues', venue, path)]
}

const mentioned = pages.map((page) => ({ page, paths: pathsIn(readFileSync(join(root, page), 'utf8')) }))

describe('pages mention existing files and folders only', () => {
  it('has paths to check', () => {
    expect(pages.length).toBeGreaterThan(50)
    expect(mentioned.flatMap(({ paths }) => paths).length).toBeGreaterThan(100)
  })

  it.each(mentioned.filter(({ paths }) => paths.length > 0))('$page', ({ page, paths }) => {
    expect(paths.filter((path) => !placesOf(page, path).some((place) => existing.has(place)))).toEqual([])
  })
})
