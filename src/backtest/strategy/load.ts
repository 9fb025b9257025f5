// Loads a strategy: a module in TypeScript or JavaScript whose default export is an async function, or a Python file, which runs in its own
// process.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Strategy } from '#sdk/typescript/src/index'
import { StrategyFailure } from './host.ts'

export type LoadedStrategy = { name: string; sha256: string } & (
  | { kind: 'module'; run: Strategy }
  | { kind: 'python'; file: string }
)

const moduleExtensions: ReadonlySet<string> = new Set(['.ts', '.mts', '.js', '.mjs'])
/** Makes every load a module of its own. */
let loads = 0

export async function loadStrategy(path: string): Promise<LoadedStrategy> {
  const file = resolve(path)
  const extension = extname(file)
  const text = await readFile(file).catch((cause: unknown) => {
    throw new Error(`cannot read the strategy ${path}`, { cause })
  })
  const about = { name: basename(file), sha256: createHash('sha256').update(text).digest('hex') }
  if (extension === '.py') return { ...about, kind: 'python', file }
  if (!moduleExtensions.has(extension)) throw new Error('--strategy takes a file that ends in .ts, .js or .py')
  const { default: run } = await importModule(file)
  if (typeof run !== 'function')
    throw new Error(`${about.name}: the default export must be the function of the strategy`)
  return { ...about, kind: 'module', run: run as Strategy }
}

async function importModule(file: string): Promise<{ default?: unknown }> {
  loads += 1
  try {
    return (await import(`${pathToFileURL(file).href}?load=${loads}`)) as { default?: unknown }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new StrategyFailure(
      `the strategy cannot be loaded: ${message}`,
      error instanceof Error ? (error.stack ?? '') : '',
      error,
    )
  }
}
