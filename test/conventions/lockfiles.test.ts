import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface LockedPackage {
  optionalDependencies?: Record<string, string>
  integrity?: string
  resolved?: string
  link?: boolean
}
interface Lockfile {
  packages: Record<string, LockedPackage>
}

const read = (file: string): Lockfile => JSON.parse(readFileSync(file, 'utf8')) as Lockfile
const isFromRegistry = (path: string, { link }: LockedPackage): boolean => path.includes('node_modules/') && !link

/** The registry that the lockfile was written from lacks these, so their hashes are unknown. See docs/dependencies.md. */
const withoutIntegrity: Readonly<Record<string, readonly string[]>> = {
  'package-lock.json': [
    'node_modules/@chdb/lib-darwin-arm64',
    'node_modules/@chdb/lib-darwin-x64',
    'node_modules/@chdb/lib-linux-arm64-gnu',
  ],
}

/** A package is found in its dependent's own node_modules, or in one above it. */
function holds(packages: Lockfile['packages'], dependent: string, name: string): boolean {
  for (let path = dependent; ; path = path.slice(0, path.lastIndexOf('node_modules/')).replace(/\/$/, '')) {
    if (packages[`${path === '' ? '' : `${path}/`}node_modules/${name}`]) return true
    if (path === '') return false
  }
}

describe.each(['package-lock.json', 'docs/site/package-lock.json'])('%s', (file) => {
  it('names the optional packages of every platform, so that npm ci accepts it with a registry that lacks some of them', () => {
    const { packages } = read(file)
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !holds(packages, path, name))
        .map((name) => `${path || '.'} wants ${name}`),
    )
    expect(Object.keys(packages).length).toBeGreaterThan(100)
    expect(missing).toEqual([])
  })

  it('has the hash of every package that comes from a registry, except those listed here', () => {
    const bare = Object.entries(read(file).packages)
      .filter(([path, entry]) => isFromRegistry(path, entry) && !/^sha512-[\w+/]{86}==$/.test(entry.integrity ?? ''))
      .map(([path]) => path)
    expect(bare.toSorted()).toEqual(withoutIntegrity[file] ?? [])
  })

  it('names no registry host, so that the user’s own registry is used', () => {
    const hosts = Object.values(read(file).packages).flatMap(({ resolved }) =>
      resolved?.includes(':') ? [resolved] : [],
    )
    expect(hosts).toEqual([])
  })
})

it('package.json states the Node and npm versions that can install it, and the lockfile repeats them', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: unknown }
  expect(engines).toEqual({ node: '>=20', npm: '>=10' })
  expect(JSON.parse(readFileSync('package-lock.json', 'utf8')).packages[''].engines).toEqual(engines)
})
