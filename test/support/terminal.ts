// A command as somebody at a terminal sees it: under a pseudo-terminal, with what is typed once a prompt stands there. By Python's `pty`.
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Reads until the text stands at the end of what came since the last answer, then types; ends with the command, or after the time given. */
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
  /** Everything the terminal showed, what was typed as well. */
  seen: string
  /** Below zero: ended by that signal. */
  code: number
  /** Prompts that never came. */
  left: number
}

/** `steps`: what must be shown, and what is then typed ("\x04" is the end of input). */
export function atTerminal(
  command: readonly string[],
  steps: readonly (readonly [shown: string, typed: string])[],
  env: Readonly<Record<string, string>>,
): Promise<Seen> {
  return new Promise((resolve, reject) => {
    execFile(
      'python3',
      ['-c', driver, JSON.stringify(steps), JSON.stringify(command), '90'],
      { cwd: root, env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TERM: 'dumb', ...env } },
      (error, stdout) => (error === null ? resolve(JSON.parse(stdout) as Seen) : reject(error)),
    )
  })
}
