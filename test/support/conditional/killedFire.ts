// Gives work to a compute process, waits until all of it is blocked or has ended, and kills the process with -9.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { DoomedWork } from './killedFire.main.ts'

const main = fileURLToPath(new URL('./killedFire.main.ts', import.meta.url))
const nothing = () => async (): Promise<void> => undefined

/** A process that waits for work and will be killed. */
export interface DoomedFire {
  /**
   * Where its tasks were blocked when it was killed; null for those that had ended. `beside` starts what runs next to it from its
   * triggers until it is dead.
   */
  killAmid(work: DoomedWork, startPeer?: () => () => Promise<void>): Promise<(string | null)[]>
  /** Without any work. */
  kill(): Promise<void>
}

export function raiseFire(): DoomedFire {
  const child = spawn(process.execPath, [main], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  return {
    kill,
    async killAmid(work, startPeer = nothing) {
      let stop = nothing()
      try {
        child.stdin.write(`${JSON.stringify(work)}\n`)
        for await (const line of createInterface({ input: child.stdout })) {
          const word = JSON.parse(line) as 'triggered' | (string | null)[]
          if (word !== 'triggered') return word
          stop = startPeer()
        }
        throw new Error('the process ended early')
      } finally {
        await kill()
        await stop()
      }
    },
  }
}

export const killFiring = (work: DoomedWork): Promise<(string | null)[]> => raiseFire().killAmid(work)
