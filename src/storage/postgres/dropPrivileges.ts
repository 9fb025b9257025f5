// PostgreSQL refuses to run as root. When we are root, its programs run as the system user `postgres`, which is created if it is missing.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Part of util-linux, which practically every Linux distribution with a root user installs. */
const setpriv = '/usr/bin/setpriv'

export interface RunAs {
  /** Null: as the current user. */
  ids: { uid: number; gid: number } | null
  /** Rewrites a command line so that it runs with these rights. */
  command(program: string, args: string[]): { program: string; args: string[]; ids: { uid?: number; gid?: number } }
}

/** `paths`: what the programs must reach (their own binaries, the data). */
export function dropPrivilegesTo(paths: readonly string[]): RunAs {
  if (process.getuid?.() !== 0) return { ids: null, command: (program, args) => ({ program, args, ids: {} }) }
  const missing = missingCapabilities()
  if (missing.length > 0) {
    throw new Error(
      `PostgreSQL does not run as root, and this root may not run it as another user: the capabilities ${missing.join(', ')} are missing. ` +
        'Start Crossbook as an ordinary user, grant these capabilities (`docker run --cap-add`), or set DATABASE_URL',
    )
  }
  const ids = findUser() ?? createUser()
  const blocked = paths.flatMap((path) => closedFolders(path, ids))[0]
  if (blocked === undefined) return { ids, command: (program, args) => ({ program, args, ids }) }

  // A checkout under /root or a private temporary folder: the user may not even traverse it. Grant it that one right.
  const right = heldRight()
  if (right === null) {
    throw new Error(
      `PostgreSQL cannot run as root, and its user cannot enter ${blocked}: ` +
        'move the project and DATA_DIR to a folder others may enter, run as another user, or set DATABASE_URL',
    )
  }
  // Without the securebit access(2) ignores the right, and initdb, which checks its own files that way, finds none of
  // them.
  const rights = [
    '--securebits=+no_setuid_fixup',
    `--inh-caps=-all,+${right}`,
    `--ambient-caps=-all,+${right}`,
    `--bounding-set=-all,+${right}`,
  ]
  const user = [`--reuid=${ids.uid}`, `--regid=${ids.gid}`, '--clear-groups']
  return {
    ids,
    command: (program, args) => ({ program: setpriv, args: [...user, ...rights, program, ...args], ids: {} }),
  }
}

function findUser(): { uid: number; gid: number } | null {
  try {
    const read = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe', encoding: 'utf8' }))
    return { uid: read('-u'), gid: read('-g') }
  } catch {
    return null
  }
}

function createUser(): { uid: number; gid: number } {
  try {
    execFileSync('groupadd', ['-f', 'postgres'], { stdio: 'pipe' })
    execFileSync('useradd', ['-g', 'postgres', '--no-create-home', 'postgres'], { stdio: 'pipe' })
  } catch (cause) {
    throw new Error('PostgreSQL cannot run as root and no user `postgres` could be created: set DATABASE_URL', {
      cause,
    })
  }
  const ids = findUser()
  if (ids === null) throw new Error('the user `postgres` was created but cannot be found: set DATABASE_URL')
  return ids
}

/** What root needs to give files to another user, read them all the same, start programs as that user, and stop them; by bit of the kernel's mask. */
const needed: Readonly<Record<string, bigint>> = { CHOWN: 0n, DAC_OVERRIDE: 1n, KILL: 5n, SETGID: 6n, SETUID: 7n }

function missingCapabilities(): string[] {
  const held = effectiveCapabilities()
  return held === null ? [] : Object.keys(needed).filter((name) => ((held >> needed[name]!) & 1n) === 0n)
}

/** The kernel's mask; null on systems without it. */
function effectiveCapabilities(): bigint | null {
  try {
    const [, mask] = /CapEff:\s*([0-9a-f]+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return mask === undefined ? null : BigInt(`0x${mask}`)
  } catch {
    return null
  }
}

/** Folders on the way to `path` that the user may not traverse. */
function closedFolders(path: string, { uid, gid }: { uid: number; gid: number }): string[] {
  const closed: string[] = []
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid: owner, gid: group } = statSync(folder)
    const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
    if ((mode & bit) === 0) closed.push(folder)
    if (folder === dirname(folder)) return closed
  }
}

/** The narrowest capability that opens folders and that we ourselves hold; Docker grants only the wider one. */
function heldRight(): 'dac_read_search' | 'dac_override' | null {
  try {
    accessSync(setpriv, constants.X_OK)
    const held = effectiveCapabilities() ?? 0n
    if ((held & 4n) !== 0n) return 'dac_read_search'
    return (held & 2n) !== 0n ? 'dac_override' : null
  } catch {
    return null
  }
}
