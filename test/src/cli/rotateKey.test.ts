import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { conditionalRotateKey, rotationLock } from '#cli/rotateKey'
import { createArtifactSeal, newSealKey, parseSealKeys } from '#orders/conditional/index'
import { keysFileOf } from '#roles/conditionalStore'
import { limits, noon, openConditionalOrders } from '#test/support/conditional/book'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()

test('two concurrent rotations create their keys one after the other and lose none', async () => {
  const { pool } = postgres
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-rotate-'))
  const file = keysFileOf(dataDir)
  const other = await pool.connect()
  try {
    writeFileSync(file, `${newSealKey()}\n`, { mode: 0o600 })
    const before = readFileSync(file, 'utf8')
    await other.query('BEGIN')
    await other.query('SELECT pg_advisory_xact_lock($1)', [rotationLock])
    const turning = conditionalRotateKey(pool, { file, configured: [] })
    await vi.waitFor(async () => {
      const { rowCount } = await pool.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)
      expect(rowCount).toBe(1)
    })
    // Written by the other rotation meanwhile.
    expect(readFileSync(file, 'utf8')).toBe(before)
    const others = newSealKey()
    writeFileSync(file, `${others}\n${before}`, { mode: 0o600 })
    await other.query('COMMIT')
    await turning
    expect(readFileSync(file, 'utf8').endsWith(`\n${others}\n${before}`)).toBe(true)
  } finally {
    other.release()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('a new key re-seals pending artifacts, also those a running process is about to use', async () => {
  const { pool } = postgres
  const book = await openConditionalOrders(pool)
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
    const { lines } = await conditionalRotateKey(pool, { file, configured: [] })
    expect(lines[1]).toMatch(/^resealed +3$/)
    expect(lines[2]).toMatch(/^keys kept +2$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const now = createArtifactSeal(() => parseSealKeys(`${first}\n`))
    const held = (await book.store.readArtifact(due!.id, due!.lease))!
    expect(() => now.open(armed[0]!, held)).toThrow('is not there')
    const opened = createArtifactSeal(() => parseSealKeys(readFileSync(file, 'utf8'))).open(armed[0]!, held)
    expect(opened).toEqual({ signature: 's0' })
    // With configured keys the operator has already put the new one first.
    const configured = [newSealKey(), ...readFileSync(file, 'utf8').trim().split('\n')]
    expect((await conditionalRotateKey(pool, { file: '/nowhere', configured })).lines[1]).toMatch(/^resealed +3$/)
    expect((await conditionalRotateKey(pool, { file: '/nowhere', configured })).lines[1]).toMatch(/^resealed +0$/)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('names artifacts that no key opens without blocking others, and creates no further key until they are resolved', async () => {
  const { pool } = postgres
  const book = await openConditionalOrders(pool)
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-rotate-'))
  try {
    const file = keysFileOf(dataDir)
    const [first, lost] = [newSealKey(), newSealKey()]
    writeFileSync(file, `${first}\n`, { mode: 0o600 })
    const sealedBy = async (key: string) => {
      const wanted = await book.wanted()
      const artifact = createArtifactSeal(() => parseSealKeys(key)).seal(wanted, { signature: 's' })
      await book.store.arm({ ...wanted, artifact }, limits)
      return wanted.id
    }
    await pool.query(
      `UPDATE conditional_orders SET sealed = NULL, seal_key_id = NULL, artifact_sha256 = NULL, status = 'canceled' WHERE sealed IS NOT NULL`,
    )
    const [a, b, c] = [await sealedBy(first), await sealedBy(lost), await sealedBy(first)]
    // A row that was changed: its key exists, but does not open it.
    await pool.query('UPDATE conditional_orders SET sealed = $2 WHERE id = $1', [c, Buffer.alloc(64)])
    const keysIn = () => parseSealKeys(readFileSync(file, 'utf8')).map(({ id }) => id)
    const keyOf = async (id: string) =>
      (await pool.query('SELECT seal_key_id AS key FROM conditional_orders WHERE id = $1', [id])).rows[0].key
    const run = (finish = false) => conditionalRotateKey(pool, { file, configured: [], finish })
    expect((await run()).unopened).toEqual([b])
    // Unfinished: b was unopened before it began, so no key was created.
    expect(keysIn()).toHaveLength(1)
    expect(await keyOf(a)).toBe(keysIn()[0])
    await pool.query(
      `UPDATE conditional_orders SET sealed = NULL, seal_key_id = NULL, artifact_sha256 = NULL, status = 'canceled' WHERE id = $1`,
      [b],
    )
    const turned = await run()
    expect(turned.unopened).toEqual([c])
    expect(turned.lines.find((line) => line.startsWith('keys needed'))).toMatch(
      new RegExp(`${keysIn()[0]} ${keysIn()[1]}$`),
    )
    expect(keysIn()).toHaveLength(2)
    expect([await keyOf(a), await keyOf(c)]).toEqual(keysIn())
    expect((await run()).unopened).toEqual([c])
    expect((await run(true)).lines[1]).toMatch(/^resealed +0$/)
    expect(keysIn()).toHaveLength(2)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
