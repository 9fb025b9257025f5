// What stands behind `crossbook conditional rotate-key`: a new key for the signed artifacts that wait to be fired.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createArtifactSeal, newSealKey, parseSealKeys } from '#conditional/index'
import type { Lines } from '#lib/lines'
import { listSealedOtherwise, reseal } from '#storage/postgres/conditional/reseal'
import type { Pool } from '#storage/postgres/pool'
import { showProgress } from './progress.ts'
import { factsOf } from './table.ts'

const resealedAtOnce = 200

/**
 * `crossbook conditional rotate-key`: a new key in `file`, or the first of `configured` where keys are configured; what is sealed under
 * another one is sealed under it. Old keys stay where they are, so that nobody who is at work meets one that is gone.
 */
export async function conditionalRotateKey(
  pool: Pool,
  { file, configured }: { file: string; configured: readonly string[] },
): Promise<Lines> {
  const read = () => parseSealKeys(configured.length > 0 ? configured.join(',') : readFileSync(file, 'utf8'))
  if (configured.length === 0) prependKey(file)
  const seal = createArtifactSeal(read)
  const keyId = read()[0]!.id
  const progress = showProgress()
  let resealed = 0
  let after: string | null = null
  for (;;) {
    const rows = await listSealedOtherwise(pool, { keyId, after, limit: resealedAtOnce })
    for (const { id, executionId, ...old } of rows) {
      const to = seal.seal({ id, executionId }, seal.open({ id, executionId }, old))
      if (await reseal(pool, { id, from: old.keyId, to })) resealed++
    }
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
    progress.say(`${resealed} sealed anew`)
  }
  progress.done()
  return factsOf({ 'newest key': keyId, resealed: String(resealed), 'keys kept': String(read().length) })
}

/** Whole or not at all, and nobody else's to read. */
function prependKey(file: string): void {
  const text = readFileSync(file, 'utf8')
  parseSealKeys(text)
  const next = `${file}.${process.pid}`
  writeFileSync(next, `${newSealKey()}\n${text}`, { mode: 0o600, flag: 'wx', flush: true })
  renameSync(next, file)
}
