// Who comes with nothing but git, npm and Python: a clone, empty projects beside it, and no word of this project's own tools in the path.
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const patience = 20 * 60_000

/** Without what `npm test` put in front. */
export const plainEnv: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter),
}

/** What `command` printed; rejects with all of it where it fails. */
export async function shell(command: string, cwd: string, env: Record<string, string> = {}): Promise<string> {
  const options = { cwd, env: { ...plainEnv, ...env }, timeout: patience, maxBuffer: 2 ** 26 }
  return run('bash', ['-euo', 'pipefail', '-c', command], options).then(
    ({ stdout }) => stdout,
    ({ message, stdout, stderr }: { message: string; stdout: string; stderr: string }) => {
      throw new Error(`${message}\n${stdout.slice(-4_000)}\n${stderr.slice(-4_000)}`)
    },
  )
}

/** A new project with these packages, given as npm takes them. */
export async function emptyProject(folder: string, ...packages: string[]): Promise<string> {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}')
  await shell(`npm install --no-audit --no-fund --save-exact ${packages.join(' ')}`, folder)
  return folder
}
