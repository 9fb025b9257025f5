// The dashboard's files, ready to be sent. The compiled program takes them from `dist/ui`, where `npm run build` puts them; run from
// source, the program builds them itself when the page is first opened. Either way they are then kept in memory.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { BuiltFile } from './build.ts'

export interface ServedFile {
  contentType: string
  etag: string
  bytes: Buffer
  /** The same, compressed. Brotli would take seconds of a busy machine for a tenth less. */
  gzip: Buffer
}

export type DashboardFiles = ReadonlyMap<string, ServedFile>

/** `ui` next to `src`: the sources; next to `dist/src`: their build output. */
const uiFolder = fileURLToPath(new URL('../../../ui', import.meta.url))

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Once per process; a failed build would fail again. */
export function createDashboardFiles(folder: string = uiFolder): () => Promise<DashboardFiles> {
  let files: Promise<DashboardFiles> | null = null
  return () => {
    files ??= load(folder)
    return files
  }
}

async function load(folder: string): Promise<DashboardFiles> {
  const isSource = existsSync(join(folder, 'main.tsx'))
  // The compiler is only loaded when needed.
  const built = isSource ? await (await import('./build.ts')).buildDashboard(folder) : await readBuilt(folder)
  return new Map(await Promise.all(built.map(async (file) => [file.name, await packed(file)] as const)))
}

async function readBuilt(folder: string): Promise<BuiltFile[]> {
  const names = await readdir(folder)
  return Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })))
}

async function packed({ name, bytes }: BuiltFile): Promise<ServedFile> {
  return {
    contentType: contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    bytes,
    gzip: await promisify(gzip)(bytes),
  }
}
