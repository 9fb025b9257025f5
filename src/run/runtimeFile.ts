// How the command line finds the program that runs on the same data directory: a file only its owner can read, gone after a clean stop.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Runtime = z.object({
  pid: z.number().int(),
  /** Null where this process runs no gateway. */
  url: z.string().nullable(),
  /** Only the demo leaves one here. */
  apiKey: z.string().nullable(),
  /** Base addresses of the demo's lab venues. */
  lab: z.record(z.string(), z.string()).optional(),
})
export type Runtime = z.infer<typeof Runtime>

const fileOf = (dataDir: string): string => join(dataDir, 'runtime.json')

export function writeRuntime(dataDir: string, runtime: Runtime): void {
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(fileOf(dataDir), JSON.stringify(runtime), { mode: 0o600 })
}

export const removeRuntime = (dataDir: string): void => rmSync(fileOf(dataDir), { force: true })

/** Null when nothing runs there; a file left by a crash counts as nothing. */
export function readRuntime(dataDir: string): Runtime | null {
  let text: string
  try {
    text = readFileSync(fileOf(dataDir), 'utf8')
  } catch {
    return null
  }
  const parsed = Runtime.safeParse(JSON.parse(text))
  if (!parsed.success) return null
  try {
    process.kill(parsed.data.pid, 0)
    return parsed.data
  } catch {
    return null
  }
}
