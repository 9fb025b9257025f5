// `npm run build:ui`: writes what the compiled program serves into the given folder.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDashboard } from './build.ts'

const [, , folder] = process.argv
if (folder === undefined) throw new Error('name the folder to write to')
const files = await buildDashboard(fileURLToPath(new URL('../../../ui', import.meta.url)))
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
for (const { name, bytes } of files) await writeFile(join(folder, name), bytes)
