// Gives work to a compute process, waits until all of it stands still or has ended, and kills the process with -9.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { DoomedWork } from './doomedFire.main.ts'

const main = fileURLToPath(new URL('./doomedFire.main.ts', import.meta.url))

/** Where its pieces of work stood when it died; null of those that had ended. */
export async function killFiring(work: DoomedWork): Promise<(string | null)[]> {
  const child = spawn(process.execPath, [main], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  try {
    child.stdin.write(`${JSON.stringify(work)}\n`)
    for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as (string | null)[]
    throw new Error('the process ended by itself')
  } finally {
    child.kill('SIGKILL')
    await exited
  }
}
