// Reads the program's own files for the convention tests: which exist and what each imports.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Import {
  /** As written. */
  specifier: string
  /** Path from the repository's root without extension, null for packages. */
  target: string | null
  typeOnly: boolean
}

export interface SourceFile {
  /** Path from the repository's root, without `.ts`. */
  path: string
  text: string
  imports: Import[]
}

const aliasRoots = ['schemas', 'actors', 'workers', 'lab', 'test']

function resolve(from: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(from), specifier)).replace(/\.ts$/, '')
  if (!specifier.startsWith('#')) return null
  const [head = '', ...rest] = specifier.slice(1).split('/')
  return aliasRoots.includes(head) ? [head, ...rest].join('/') : ['src', head, ...rest].join('/')
}

export function sourceFiles(...folders: string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => {
        const absolute = join(entry.parentPath, entry.name)
        const path = relative(root, absolute).replaceAll('\\', '/').replace(/\.ts$/, '')
        const text = readFileSync(absolute, 'utf8')
        const imports = [
          ...text.matchAll(
            /^(import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)|^import\s+'([^']+)'/gm,
          ),
        ].map((match) => {
          const specifier = match[3] ?? match[4] ?? match[5] ?? ''
          return { specifier, target: resolve(path, specifier), typeOnly: match[2] !== undefined }
        })
        return { path, text, imports }
      }),
  )
}

export const folderNames = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
