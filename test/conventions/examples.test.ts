// An example reads the variables that the page that runs it sets: otherwise it silently connects to another service.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '#test/support/docs/samples'

const addresses = ['URL', 'CROSSBOOK_URL']
const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')

/** With the examples it imports. */
function sourceOf(name: string): string {
  const text = read(`docs/examples/${name}`)
  return (
    text + [...text.matchAll(/from '\.\/([\w-]+\.mjs)'/g)].map(([, other]) => read(`docs/examples/${other!}`)).join('')
  )
}

/** `export URL=… KEY=…`, also where a program prints the assignments. */
const setOn = (page: string, variable: string): boolean =>
  page
    .split('\n')
    .filter((line) => line.includes('export '))
    .some((line) => new RegExp(`(?<![A-Z_])${variable}=`).test(line))

const runs = ['README.md', ...readdirSync(join(projectRoot, 'docs')).map((name) => `docs/${name}`)]
  .filter((path) => path.endsWith('.md'))
  .flatMap((path) =>
    [...new Set(read(path).match(/(?<=node docs\/examples\/)[\w-]+\.mjs/g))].map((name) => [path, name]),
  )

it('knows which pages run which examples', () => {
  expect(runs.length).toBeGreaterThan(5)
})

it.each(runs)('%s: %s reads the address that the page sets', (path, name) => {
  const source = sourceOf(name!)
  for (const variable of addresses) {
    if (!setOn(read(path!), variable) || !source.includes('127.0.0.1:8080')) continue
    expect(source, `${variable} is set on the page`).toMatch(new RegExp(`(?<![A-Z_])${variable}\\b`))
  }
})
