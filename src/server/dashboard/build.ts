// Builds the dashboard from `ui/`: modules, style and icon under hashed names, and the pages that reference them.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type BuildResult, build, stop } from 'esbuild'
import { assetsPath } from './paths.ts'

export interface BuiltFile {
  /** `index.html` (the dashboard), `docs.html` (the reference), `front.html` (what `/` shows to a browser), or the hashed name of an asset. */
  name: string
  bytes: Buffer
}

/** `folder`: the sources. Throws the compiler's errors. */
export async function buildDashboard(folder: string): Promise<BuiltFile[]> {
  const { outputFiles, metafile } = await compile(folder)
  const assets = outputFiles.map(({ path, contents }) => ({ name: basename(path), bytes: Buffer.from(contents) }))
  const icon = hashed('icon.svg', await readFile(join(folder, 'icon.svg')))
  const nameOf = (entry: string): string => {
    const [path] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? []
    if (path === undefined) throw new Error(`${entry} was not built`)
    return basename(path)
  }
  const names: Readonly<Record<string, string>> = {
    script: nameOf('main.tsx'),
    docs: nameOf('docs.tsx'),
    style: nameOf('style.css'),
    icon: icon.name,
  }
  const pages = await Promise.all(
    ['index.html', 'docs.html', 'front.html'].map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, bytes: Buffer.from(text.replace(/%(\w+)%/g, (_, word: string) => `${assetsPath}${names[word]}`)) }
    }),
  )
  return [...pages, ...assets, icon]
}

async function compile(folder: string): Promise<BuildResult<{ write: false; metafile: true }>> {
  try {
    return await build({
      absWorkingDir: folder,
      entryPoints: ['main.tsx', 'docs.tsx', 'style.css'],
      outdir: 'assets',
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      target: 'es2022',
      minify: true,
      legalComments: 'none',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      write: false,
      metafile: true,
      logLevel: 'silent',
    })
  } finally {
    // The compiler is a separate process, and is done.
    await stop()
  }
}

function hashed(name: string, bytes: Buffer): BuiltFile {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8)
  return { name: name.replace('.', `-${hash}.`), bytes }
}
