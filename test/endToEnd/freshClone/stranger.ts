// A new user with only git, npm and Python: a clone, empty projects next to it, and none of this project's own tools in the path.
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const patience = 20 * 60_000

/** Without the entries that `npm test` put in front. */
export const plainEnv: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter),
}

/** The output of `command`; rejects with all of it on failure. */
export async function shell(command: string, cwd: string, env: Record<string, string> = {}): Promise<string> {
  const options = { cwd, env: { ...plainEnv, ...env }, timeout: patience, maxBuffer: 2 ** 26 }
  return run('bash', ['-euo', 'pipefail', '-c', command], options).then(
    ({ stdout }) => stdout,
    ({ message, stdout, stderr }: { message: string; stdout: string; stderr: string }) => {
      throw new Error(`${message}\n${stdout.slice(-4_000)}\n${stderr.slice(-4_000)}`)
    },
  )
}

/** A new project with these packages, in npm's notation. */
export async function emptyProject(folder: string, ...packages: string[]): Promise<string> {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}')
  await shell(`npm install --no-audit --no-fund --save-exact ${packages.join(' ')}`, folder)
  return folder
}
