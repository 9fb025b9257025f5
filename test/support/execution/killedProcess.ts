// Gives jobs to a process, waits until each is blocked at its await or has ended, and kills the process with -9.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { DoomedJob, DoomedReport } from './killedProcess.main.ts'

const main = fileURLToPath(new URL('./killedProcess.main.ts', import.meta.url))

interface Where {
  databaseUrl: string
  venueUrl: string
  accountId: string
}

/** A process that waits for jobs and will be killed. */
export interface Doomed {
  /**
   * Where each job was blocked when the process was killed, by name; null if it had ended. `words`: number of jobs to wait for; the others
   * are killed wherever they are.
   */
  killAmid(jobs: readonly DoomedJob[], words?: number): Promise<Map<string, string | null>>
  /** Without a job. */
  kill(): Promise<void>
}

export function raise({ databaseUrl, venueUrl, accountId }: Where): Doomed {
  const child = spawn(process.execPath, [main, databaseUrl, venueUrl, accountId], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  return {
    kill,
    async killAmid(jobs, words = jobs.length) {
      const reports = new Map<string, string | null>()
      try {
        for (const job of jobs) child.stdin.write(`${JSON.stringify(job)}\n`)
        for await (const line of createInterface({ input: child.stdout })) {
          const { name, at } = JSON.parse(line) as DoomedReport
          // The first report counts: a job that was blocked for too long may continue for a moment.
          if (!reports.has(name)) reports.set(name, at ?? null)
          if (reports.size === words) return reports
        }
        throw new Error(`the process ended early; ${reports.size} of ${words} jobs had reported`)
      } finally {
        await kill()
      }
    },
  }
}

export const killAmid = (where: Where, jobs: readonly DoomedJob[], words?: number) => raise(where).killAmid(jobs, words)
