// A clone of this project with its uncommitted changes: a release or a fresh start is made from commits, but a test runs before there is
// one.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './compose.ts'

/** A copy without history cannot be cloned. */
export const hasHistory = existsSync(join(projectRoot, '.git'))

export function cloneProject(clone: string): void {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: projectRoot, encoding: 'utf8' })
  execFileSync('git', ['clone', '-q', '--shared', projectRoot, clone], { stdio: 'pipe' })
  const here = git('ls-files', '--cached', '--others', '--exclude-standard', '-z').split('\0')
  const gone = new Set(git('ls-files', '--deleted', '-z').split('\0'))
  const list = here.filter((path) => path !== '' && !gone.has(path)).join('\0')
  execFileSync('sh', ['-c', `tar --null -T - -cf - | tar -xf - -C '${clone}'`], { cwd: projectRoot, input: list })
  for (const path of gone) if (path !== '') execFileSync('git', ['rm', '-q', '--ignore-unmatch', path], { cwd: clone })
  commitAll(clone, 'as it is here')
}

export function commitAll(clone: string, message: string): void {
  const who = ['-c', 'user.name=release', '-c', 'user.email=release@example.invalid']
  execFileSync('git', ['add', '-A'], { cwd: clone })
  execFileSync('git', [...who, 'commit', '-q', '--allow-empty', '-m', message], { cwd: clone })
}
