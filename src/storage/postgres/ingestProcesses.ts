// Which processes are alive on this machine. Process ids are reused (in a container even the same few), so an id alone proves nothing.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A running process that is not a zombie waiting to be reaped. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it is alive, but belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return statOf(pid)?.state !== 'Z'
}

/** Changes whenever the id is reused; '' if the platform does not provide it. */
export function stampOf(pid: number): string {
  if (process.platform !== 'linux') return ps(pid, 'lstart')
  const stat = statOf(pid)
  return stat ? `${readOrEmpty('/proc/sys/kernel/random/boot_id').trim()}:${stat.startTicks}` : ''
}

/** Program name of a process, '' if unknown. */
export function commandOf(pid: number): string {
  return (process.platform === 'linux' ? readOrEmpty(`/proc/${pid}/comm`) : ps(pid, 'comm')).trim()
}

/** /proc/<pid>/stat after the command, which is in parentheses and may itself contain spaces and parentheses. */
function statOf(pid: number): { state: string; startTicks: string } | null {
  const text = readOrEmpty(`/proc/${pid}/stat`)
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields.length > 19 ? { state: fields[0]!, startTicks: fields[19]! } : null
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function ps(pid: number, column: string): string {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}
