// `crossbook conditional rotate-key`: a new key for the signed artifacts that wait to be fired.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Lines } from '#core/commandOutput'
import { type ArtifactCipher, createArtifactSeal, newSealKey, parseSealKeys } from '#orders/conditional/index'
import {
  countSealedUnder,
  listSealedOtherwise,
  reencrypt,
  type SealedRow,
} from '#storage/postgres/conditional/reencrypt'
import { inTransaction, type Pool, type Queryable } from '#storage/postgres/pool'
import { showProgress } from './progress.ts'
import { factsOf } from './table.ts'

const resealedAtOnce = 200
/** Named in one answer; the rest are counted. */
const namedMax = 50

export interface Rotation {
  lines: Lines
  /** Orders whose artifact none of the keys opens: they are left unchanged. */
  unopened: readonly string[]
}

/**
 * `crossbook conditional rotate-key [--finish]`: generates a new key in `file`, or uses the first of `configured` when keys are configured;
 * artifacts sealed under another key are resealed under it. While an earlier rotation is unfinished no further key is generated, nor with
 * `finish`. Old keys are kept, so that a running process never misses one.
 */
export async function conditionalRotateKey(
  pool: Pool,
  { file, configured, finish = false }: { file: string; configured: readonly string[]; finish?: boolean },
): Promise<Rotation> {
  const read = () => parseSealKeys(configured.length > 0 ? configured.join(',') : readFileSync(file, 'utf8'))
  if (configured.length === 0 && !finish)
    await alone(pool, async (client) => {
      if (await isFinished(client, read()[0]!.id)) prependKey(file)
    })
  const seal = createArtifactSeal(read)
  const keyId = read()[0]!.id
  const progress = showProgress()
  const unopened: string[] = []
  let resealed = 0
  let after: string | null = null
  for (;;) {
    const rows = await listSealedOtherwise(pool, { keyId, after, limit: resealedAtOnce })
    for (const row of rows) {
      const to = reseal(seal, row)
      if (to === null) unopened.push(row.id)
      else if (await reencrypt(pool, { id: row.id, from: row.keyId, to })) resealed++
    }
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
    progress.show(`${resealed} resealed`)
  }
  progress.done()
  const needed = await countSealedUnder(pool)
  const kept = read()
  const keysNeeded = kept.filter(({ id }) => needed.has(id)).map(({ id }) => id)
  const lines = factsOf(
    {
      'newest key': keyId,
      resealed,
      'keys kept': kept.length,
      'keys needed': keysNeeded.join(' ') || 'none',
      ...(unopened.length > 0 && { unopened: namesOf(unopened) }),
    },
    { newestKey: keyId, resealed, keysKept: kept.length, keysNeeded, unopened },
  )
  return { lines, unopened }
}

/** Any number works as long as nothing else on the server uses it. */
export const rotationLock = 724_608

/** Two rotations at once, on whatever hosts, would write the file over each other, and lose a key that the other has begun to use. */
const alone = (pool: Pool, write: (client: Queryable) => Promise<void>): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [rotationLock])
    await write(client)
  })

const namesOf = (ids: readonly string[]): string => {
  const more = ids.length - namedMax
  return [...ids.slice(0, namedMax), ...(more > 0 ? [`and ${more} more`] : [])].join(' ')
}

const isFinished = async (db: Queryable, keyId: string): Promise<boolean> =>
  (await listSealedOtherwise(db, { keyId, after: null, limit: 1 })).length === 0

/** Null: its key is not here, or the bytes are not what was sealed for this order. */
function reseal(seal: ArtifactCipher, { id, executionId, ...old }: SealedRow) {
  const of = { id, executionId }
  let artifact: ReturnType<ArtifactCipher['open']>
  try {
    artifact = seal.open(of, old)
  } catch {
    // Reported by its id: the others must not wait for a missing key.
    return null
  }
  return seal.seal(of, artifact)
}

/** Written atomically, and readable only by its owner. */
function prependKey(file: string): void {
  const text = readFileSync(file, 'utf8')
  parseSealKeys(text)
  const next = `${file}.${process.pid}`
  writeFileSync(next, `${newSealKey()}\n${text}`, { mode: 0o600, flag: 'wx', flush: true })
  renameSync(next, file)
}
