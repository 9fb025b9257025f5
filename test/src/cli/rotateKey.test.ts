import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conditionalRotateKey } from '#cli/rotateKey'
import { createArtifactSeal, newSealKey, parseSealKeys } from '#conditional/index'
import { keysFileOf } from '#run/conditional'
import { limits, noon, openOrderBook } from '#test/support/conditional/book'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()

test('a new key seals anew what waits, for a process that is at work, too', async () => {
  const { pool } = postgres
  const book = await openOrderBook(pool)
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-rotate-'))
  try {
    const file = keysFileOf(dataDir)
    const first = newSealKey()
    writeFileSync(file, `${first}\n`, { mode: 0o600 })
    const atWork = createArtifactSeal(() => parseSealKeys(first))
    const armed: { id: string; executionId: string }[] = []
    for (let i = 0; i < 3; i++) {
      const wanted = await book.wanted()
      const of = { id: wanted.id, executionId: wanted.executionId }
      await book.store.arm({ ...wanted, artifact: atWork.seal(of, { signature: `s${i}` }) }, limits)
      armed.push(of)
    }
    await book.trigger(armed[0]!.id)
    const [due] = await book.store.claimFiring({ owner: 'a', leaseMs: 60_000, limit: 1, at: noon })
    await pool.query(
      `UPDATE conditional_orders SET sealed = NULL, seal_key_id = NULL, artifact_sha256 = NULL, status = 'canceled' WHERE seal_key_id = 'k1'`,
    )
    const lines = await conditionalRotateKey(pool, { file, configured: [] })
    expect(lines[1]).toMatch(/^resealed +3$/)
    expect(lines[2]).toMatch(/^keys kept +2$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const now = createArtifactSeal(() => parseSealKeys(`${first}\n`))
    const held = (await book.store.readArtifact(due!.id, due!.lease))!
    expect(() => now.open(armed[0]!, held)).toThrow('is not there')
    const opened = createArtifactSeal(() => parseSealKeys(readFileSync(file, 'utf8'))).open(armed[0]!, held)
    expect(opened).toEqual({ signature: 's0' })
    // Where the keys are configured the operator has put the new one first.
    const configured = [newSealKey(), ...readFileSync(file, 'utf8').trim().split('\n')]
    expect((await conditionalRotateKey(pool, { file: '/nowhere', configured }))[1]).toMatch(/^resealed +3$/)
    expect((await conditionalRotateKey(pool, { file: '/nowhere', configured }))[1]).toMatch(/^resealed +0$/)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
