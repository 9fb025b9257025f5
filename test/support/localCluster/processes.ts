// The processes of the roles: started together, each with its own folder, ports and log.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type Role, roles } from '#config'
import { tailOf } from '../cluster/logTail.ts'
import { type RoleProcess, roleProcess } from '../cluster/roleProcess.ts'
import type { Logs } from './logs.ts'
import type { ClusterOptions } from './options.ts'

/** Migrations, a first walk through the catalogs and the first books, all on a small machine. */
const readyDeadlineMs = 240_000
/** Both keep the files of whole days: `tape` writes them, `gateway` serves them. */
const withDayFiles: readonly Role[] = ['tape', 'gateway']

export interface RoleProcesses {
  all: readonly (RoleProcess & { role: Role; logFile: string })[]
  start(): Promise<void>
  stop(): Promise<void>
}

/** `lost`: a process ended by itself, with the reason and the last lines of its log. It is not started again. */
export function roleProcesses(
  { copies, dataDir, gatewayPorts }: ClusterOptions,
  variables: Readonly<Record<string, string>>,
  logs: Logs,
  lost: (text: string) => void,
): RoleProcesses {
  mkdirSync(join(dataDir, 'history'), { recursive: true })
  const all = roles.flatMap((role) =>
    Array.from({ length: copies }, (_, i) => {
      const name = copies === 1 ? role : `${role}-${i + 1}`
      const folder = join(dataDir, 'roles', name)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      if (withDayFiles.includes(role) && !existsSync(join(folder, 'history')))
        symlinkSync('../../history', join(folder, 'history'))
      const logFile = logs.open(name)
      const process = roleProcess({
        name,
        roles: role,
        dataDir: folder,
        env: { ...variables, ...(role === 'gateway' && { PORT: String(gatewayPorts[i]) }) },
        readyDeadlineMs,
        logFile,
        detached: true,
        onEnd: (reason) =>
          lost(
            `${name} ended by itself (${reason}) and is not started again. The last lines of ${logFile}:\n${tailOf(logFile)}`,
          ),
      })
      return Object.assign(process, { role, logFile })
    }),
  )
  return {
    all,
    async start() {
      await Promise.all(all.map((process) => process.start()))
    },
    async stop() {
      await Promise.all(all.map((process) => process.stop()))
    },
  }
}
