// One file per process in DATA_DIR/logs. That of the previous start is kept next to it.
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Logs {
  folder: string
  /** The file of a process, emptied. */
  open(name: string): string
}

export function openLogs(dataDir: string): Logs {
  const folder = join(dataDir, 'logs')
  mkdirSync(folder, { recursive: true })
  return {
    folder,
    open(name) {
      const file = join(folder, `${name}.log`)
      if (existsSync(file)) renameSync(file, join(folder, `${name}.previous.log`))
      writeFileSync(file, '', { mode: 0o600 })
      return file
    },
  }
}
