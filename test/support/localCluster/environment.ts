// The variables that every process of the cluster gets, and the file that keeps them for further processes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keysFileIn } from '#roles/conditionalStore'
import { webhookKeyIn } from '#roles/webhooks'

type Variables = Readonly<Record<string, string>>

/** Keys that encrypt data in the database: made at the first start, in the data directory, unless the environment has them. */
export const secretVariables = (dataDir: string, given: NodeJS.ProcessEnv): Variables => ({
  CROSSBOOK_WEBHOOK_SECRET_KEY: given.CROSSBOOK_WEBHOOK_SECRET_KEY || webhookKeyIn(dataDir),
  CROSSBOOK_CONDITIONAL_KEYS:
    given.CROSSBOOK_CONDITIONAL_KEYS || readFileSync(keysFileIn(dataDir), 'utf8').trim().split(/\s+/).join(','),
})

/** For the shell's `.`: quoted, whatever the value contains. */
export const shellText = (variables: Variables): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'\n`)
    .join('')

export function writeEnvironment(dataDir: string, variables: Variables): string {
  const file = join(dataDir, 'environment')
  writeFileSync(file, shellText(variables), { mode: 0o600 })
  return file
}

const keyFile = (dataDir: string): string => join(dataDir, 'api.key')

/** The API key of an earlier start; null at the first. */
export const readApiKey = (dataDir: string): string | null =>
  existsSync(keyFile(dataDir)) ? readFileSync(keyFile(dataDir), 'utf8').trim() : null

export const writeApiKey = (dataDir: string, apiKey: string): void =>
  writeFileSync(keyFile(dataDir), `${apiKey}\n`, { mode: 0o600 })
