// Nothing of a signed artifact remains after it was fired, whatever the result: not in the log, the database or the heap of the process.
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { createArtifactSeal, newSealKey, parseSealKeys } from '#orders/conditional/index'
import { openConditionalOrders } from '#test/support/conditional/book'
import { signedLane } from '#test/support/conditional/signedLane'
import { executionSuite } from '#test/support/execution/suite'
import type { VenueMode } from '#test/support/execution/venue'

const { pg, worldOf, count } = executionSuite()
const main = fileURLToPath(new URL('../../../support/conditional/fireKeeper.main.ts', import.meta.url))
const modes: readonly VenueMode[] = ['accept', 'fill', 'drop', 'reject', 'refuse', 'limit']

/** A heap snapshot is slow. */
it.runIf(process.env.CROSSBOOK_TEST_LONG === '1')(
  'fault 30: keeps nothing of a signed artifact after it was fired, whatever the venue answered',
  async () => {
    const mark = randomBytes(8).toString('hex')
    const canaries = modes.map((mode) => `canary-${mode}-${mark}`)
    const key = newSealKey()
    const seal = createArtifactSeal(() => parseSealKeys(key))
    const world = await worldOf({ lanes: [signedLane()] })
    const book = await openConditionalOrders(pg.pool, world.accountId)
    const ids: string[] = []
    for (const [i, mode] of modes.entries()) {
      const { executionId, unsigned } = (await world.build(randomUUID())).json.data
      world.venue.orderModes.set(unsigned.id, mode)
      const id = randomUUID()
      const artifact = seal.seal({ id, executionId }, { signature: canaries[i]! })
      const expiresAt = new Date(Date.now() + 3_600_000)
      await book.arm({ id, executionId, venue: 'novig', artifact, expiresAt, at: new Date() })
      expect(await book.trigger(id, new Date())).toBe(true)
      ids.push(id)
    }
    const dir = await mkdtemp(join(tmpdir(), 'crossbook-firing-'))
    const log: string[] = []
    const child = spawn(process.execPath, ['--expose-gc', main, pg.url, world.venue.url, key, mark], {
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()))
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    try {
      expect((await lines.next()).value).toBe('firing')
      const limited = ids[modes.indexOf('limit')]!
      await vi.waitFor(
        async () => expect((await book.store.find(world.accountId, limited))!.fire_attempts).toBeGreaterThan(1),
        { timeout: 60_000, interval: 100 },
      )
      world.venue.orderModes.clear()
      await vi.waitFor(
        async () => {
          const statuses = await Promise.all(ids.map((id) => book.statusOf(id)))
          expect(statuses).toEqual(['fired', 'fired', 'fired', 'fire_failed', 'fire_failed', 'fired'])
        },
        { timeout: 120_000, interval: 100 },
      )
      const snapshot = join(dir, 'firing.heapsnapshot')
      child.stdin.write(`${snapshot}\n`)
      const control = (await lines.next()).value as string
      expect(control).toContain(mark)
      const heap = await readFile(snapshot, 'utf8')
      expect(heap.includes(control)).toBe(true)
      const logText = log.join('')
      expect(logText).toContain('an attempt to fire was refused')
      const { rows: tables } = await pg.pool.query<{ name: string }>(
        `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
      )
      for (const canary of canaries) {
        expect(heap.includes(canary), `the heap shows ${canary}`).toBe(false)
        expect(logText.includes(canary), `the log shows ${canary}`).toBe(false)
        const hex = Buffer.from(canary).toString('hex')
        for (const { name } of tables)
          expect(await count(`${name} t WHERE t::text LIKE ANY ($1)`, [[`%${canary}%`, `%${hex}%`]]), name).toBe(0)
      }
      expect(await count('conditional_orders WHERE sealed IS NOT NULL')).toBe(0)
    } finally {
      child.kill('SIGKILL')
      await rm(dir, { recursive: true, force: true })
    }
  },
)
