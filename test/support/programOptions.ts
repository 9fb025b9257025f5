// The Node options of `npm start`, for tests and measurements that start the program themselves.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packageFile = fileURLToPath(new URL('../../package.json', import.meta.url))

/** The options in a script of package.json that runs one file. */
export function optionsOf(script: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(packageFile, 'utf8')) as { scripts: Readonly<Record<string, string>> }
  return (scripts[script] ?? '').split(' ').filter((word) => word.startsWith('--'))
}

export const programOptions = optionsOf('start')
