// A command as a user at a terminal sees it: under a pseudo-terminal, with input typed once a prompt is shown. Uses Python's `pty`.
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compileCache } from './compileCache.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Reads until the text ends the output since the last input, then types; ends with the command, or after the given time. */
const driver = `
import json, os, pty, select, sys, time
steps, command, seconds = json.loads(sys.argv[1]), json.loads(sys.argv[2]), float(sys.argv[3])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
seen, at, until = b"", 0, time.monotonic() + seconds
while time.monotonic() < until:
    if not select.select([terminal], [], [], 0.2)[0]:
        continue
    try:
        chunk = os.read(terminal, 65536)
    except OSError:
        break
    if not chunk:
        break
    seen += chunk
    if steps and steps[0][0].encode() in seen[at:]:
        at = len(seen)
        os.write(terminal, steps.pop(0)[1].encode())
else:
    os.kill(pid, 9)
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(json.dumps({"seen": seen.decode("utf8", "replace"), "code": code, "left": len(steps)}))
`

export const hasTerminal = spawnSync('python3', ['-c', 'import pty']).status === 0

export interface Seen {
  /** Everything the terminal showed, including what was typed. */
  seen: string
  /** Negative: ended by that signal. */
  code: number
  /** Prompts that never appeared. */
  left: number
}

/** `steps`: the text to wait for, and the input to type then ("\x04" is the end of input). */
export function atTerminal(
  command: readonly string[],
  steps: readonly (readonly [shown: string, typed: string])[],
  env: Readonly<Record<string, string>>,
): Promise<Seen> {
  return new Promise((resolve, reject) => {
    execFile(
      'python3',
      ['-c', driver, JSON.stringify(steps), JSON.stringify(command), '90'],
      {
        cwd: root,
        env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...compileCache(), TERM: 'dumb', ...env },
      },
      (error, stdout) => (error === null ? resolve(JSON.parse(stdout) as Seen) : reject(error)),
    )
  })
}
