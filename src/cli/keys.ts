// Gives the key commands a database.
import * as commands from '#platform/auth/cli'
import type { Pool } from '#storage/postgres/pool'
import { withDatabase } from './database.ts'

export async function runKeys(run: (cli: typeof commands, pool: Pool) => Promise<string[]>): Promise<void> {
  for (const line of await withDatabase((pool) => run(commands, pool))) console.log(line)
}
