import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Lockfile {
  packages: Record<string, { optionalDependencies?: Record<string, string> }>
}

/** A package is found in its dependent's own node_modules, or in one above it. */
function holds(packages: Lockfile['packages'], dependent: string, name: string): boolean {
  for (let path = dependent; ; path = path.slice(0, path.lastIndexOf('node_modules/')).replace(/\/$/, '')) {
    if (packages[`${path === '' ? '' : `${path}/`}node_modules/${name}`]) return true
    if (path === '') return false
  }
}

describe.each(['package-lock.json', 'docs/site/package-lock.json'])('%s', (file) => {
  it('names the optional packages of every platform, so that npm ci takes it on a registry that lacks some of them', () => {
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as Lockfile
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !holds(packages, path, name))
        .map((name) => `${path || '.'} wants ${name}`),
    )
    expect(Object.keys(packages).length).toBeGreaterThan(100)
    expect(missing).toEqual([])
  })
})
