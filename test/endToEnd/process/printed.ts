// A program started by commands as a page prints them: in a shell, which starts npm, which starts it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { compileCache } from '#test/support/compileCache'
import { projectRoot } from '#test/support/docs/samples'
import type { Ready } from './program.ts'

export interface Printed {
  /** Of the shell. */
  pid: number
  ready: Ready
  /** Its output lines until it was ready. */
  lines: readonly string[]
  /** Interrupts it as Ctrl-C does: the whole process group. Resolves when the shell has ended. */
  end(): Promise<void>
}

/** Resolves with its ready line. */
export async function startPrinted(commands: string, env: Readonly<Record<string, string>>): Promise<Printed> {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...compileCache(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const exited = once(shell, 'exit')
  const end = async (): Promise<void> => {
    if (shell.exitCode === null && shell.signalCode === null) process.kill(-shell.pid!, 'SIGINT')
    await exited
  }
  const word = 'crossbook ready '
  const lines: string[] = []
  for await (const line of createInterface({ input: shell.stdout })) {
    if (line.startsWith(word))
      return { pid: shell.pid!, ready: JSON.parse(line.slice(word.length)) as Ready, lines, end }
    lines.push(line)
  }
  throw new Error(`it ended before it was ready: ${commands}\n${lines.join('\n')}`)
}
