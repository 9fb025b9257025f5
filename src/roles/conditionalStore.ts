// Conditional orders of this deployment: the keys that seal what is fired from here, and arming's interface to
// executions.
import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import { cancelConditional } from '#orders/conditional/cancelAndReport'
import {
  type ArtifactCipher,
  type BracketDeps,
  type ConditionalDeps,
  conditionalSteps,
  createArtifactSeal,
  newSealKey,
  parseSealKeys,
} from '#orders/conditional/index'
import {
  type CancelAllRouteDeps,
  createExitBuilds,
  type ExecutionsDeps,
  validateConditional,
} from '#orders/executions/index'
import { createBracketStore } from '#storage/postgres/brackets/store'
import { type ConditionalStore, createConditionalStore } from '#storage/postgres/conditional/store'
import { createNotifier } from '#storage/postgres/orderChanges/notify'
import type { Pool } from '#storage/postgres/pool'

export const conditionalStoreOf = (pool: Pool): ConditionalStore =>
  createConditionalStore(pool, conditionalSteps, createNotifier(pool))

/** Null when nothing is fired from here. Every process of the deployment needs the same keys. */
export function openArtifactSeal({
  conditional,
  dataDir,
}: Pick<Config, 'conditional' | 'dataDir'>): ArtifactCipher | null {
  const { enabled, hosted, keys } = conditional
  if (!enabled || !hosted) return null
  if (keys.length > 0) return createArtifactSeal(() => parseSealKeys(keys.join(',')))
  const file = keysFileIn(dataDir)
  return createArtifactSeal(() => parseSealKeys(readFileSync(file, 'utf8')))
}

/** Path of the file with the keys, which is made if it is not there. */
export function keysFileIn(dataDir: string): string {
  const file = keysFileOf(dataDir)
  makeOnce(file)
  refuseReadable(file)
  return file
}

/** One line per key, newest first. */
export const keysFileOf = (dataDir: string): string => join(dataDir, 'conditional.keys')

/**
 * Appears completely under its name or not at all: of two processes starting at once the second reads the first one's file.
 */
function makeOnce(file: string): void {
  mkdirSync(join(file, '..'), { recursive: true })
  const made = `${file}.${randomUUID()}`
  writeFileSync(made, `${newSealKey()}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(made, file)
  } catch (error) {
    // Created at an earlier start, or a moment ago.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(made)
  }
}

function refuseReadable(file: string): void {
  const mode = statSync(file).mode & 0o777
  if ((mode & 0o077) !== 0)
    throw new Error(`${file} holds the keys of signed orders and has mode ${mode.toString(8)}: chmod 600 ${file}`)
}

/** For a request that cancels everything. */
export const conditionalCancel =
  (conditional: ConditionalDeps): CancelAllRouteDeps['cancelConditional'] =>
  (caller, wanted) =>
    cancelConditional(conditional, caller, wanted)

export function openConditional({
  config,
  pool,
  executions,
  books,
  clock,
}: {
  config: Config
  pool: Pool
  executions: ExecutionsDeps
  books: ConditionalDeps['books']
  clock: Clock
}): ConditionalDeps {
  return {
    store: conditionalStoreOf(pool),
    orders: { examine: (caller, id, signed) => validateConditional(executions, caller, id, signed) },
    books,
    seal: openArtifactSeal(config),
    clock,
    newId: () => randomUUID(),
  }
}

export const openBrackets = (pool: Pool, executions: ExecutionsDeps, conditional: ConditionalDeps): BracketDeps => ({
  store: createBracketStore(pool),
  builds: createExitBuilds(executions),
  conditional,
})
