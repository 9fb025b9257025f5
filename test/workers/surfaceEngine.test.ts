import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { compileSurface } from '#arbitrage/compileSurface'
import type { SurfaceEngine } from '#arbitrage/engine'
import { rowOf } from '#arbitrage/row'
import { Surface } from '#arbitrage/surface'
import { systemClock } from '#core/clock'
import { Random, SampleBooks, sampleBook, sampleCluster } from '#test/src/arbitrage/worlds'
import { workerEngine } from '#workers/surfaceEngine'

const now = 1_790_000_000_000
const faulty = fileURLToPath(new URL('./faulty.worker.ts', import.meta.url))
const open: SurfaceEngine[] = []

afterEach(async () => {
  for (const engine of open.splice(0)) await engine.stop()
})

function world(seed: number, filename?: string) {
  const random = new Random(seed)
  const books = new SampleBooks(400)
  const inputs = Array.from({ length: 20 }, (_, i) => sampleCluster(random, `c${i}`, books, now))
  const compiled = compileSurface(inputs, { contracts: 100, limit: 1e9, slotOf: books.slotOf })
  const orders = new SharedArrayBuffer(8)
  const events = { passed: vi.fn<(full: boolean) => void>(), failed: vi.fn<(reason: string) => void>() }
  const engine = workerEngine({
    arena: books.arena,
    slots: 400,
    clock: systemClock,
    filename,
    workerData: orders,
  })(events)
  open.push(engine)
  /** The result of this thread for the same books. */
  const expected = (plan = compiled) => {
    const surface = Surface.alone(plan.plan, books.arena)
    surface.pass()
    return plan.rowFacts.map((_, row) => rowOf(plan, surface.table, row))
  }
  const found = (plan = compiled) => plan.rowFacts.map((_, row) => rowOf(plan, engine.table!, row))
  const fullPass = async () => {
    events.passed.mockClear()
    await vi.waitFor(() => expect(events.passed).toHaveBeenCalledWith(true), { timeout: 20_000 })
  }
  const order = (what: number) => {
    Atomics.store(new Int32Array(orders), 0, what)
    engine.flush()
  }
  return { random, books, inputs, compiled, events, engine, expected, found, fullPass, order }
}

describe('the surface on a worker thread', () => {
  it('equals that of this thread, follows changed books, and reports which clusters changed', async () => {
    const { random, books, compiled, engine, events, expected, found, fullPass } = world(1)
    engine.load(compiled.plan)
    engine.start()
    await fullPass()
    expect(found()).toEqual(expected())
    const clusters: number[] = []
    const visit = (cluster: number) => clusters.push(cluster)
    engine.drain(visit, Infinity)
    expect(clusters.sort((a, b) => a - b)).toEqual(Array.from({ length: compiled.plan.clusters }, (_, i) => i))
    for (let round = 1; round <= 20; round++) {
      const key = random.pick([...books.books].filter(([, book]) => book.state === 'live'))[0]
      const slot = books.set({ ...sampleBook(random, key, now + round * 200_000), state: 'live' })
      engine.touch(slot)
      engine.flush()
      await vi.waitFor(() => expect(found()).toEqual(expected()), { timeout: 20_000 })
    }
    clusters.length = 0
    await vi.waitFor(() => {
      engine.drain(visit, Infinity)
      expect(clusters.length).toBeGreaterThan(0)
    })
    expect(clusters.length).toBeLessThanOrEqual(20)
    expect(events.failed).not.toHaveBeenCalled()
  })

  it('takes another plan without a restart', async () => {
    const { inputs, books, compiled, engine, expected, found, fullPass } = world(2)
    engine.start()
    engine.load(compiled.plan)
    await fullPass()
    const other = compileSurface(inputs.slice(5), { contracts: 7.5, limit: 1e9, slotOf: books.slotOf })
    engine.load(other.plan)
    await fullPass()
    expect(found(other)).toEqual(expected(other))
  })

  it.each([
    ['throws', 1, 'sabotage'],
    ['loops forever', 2, 'no heartbeat'],
    ['is terminated', 3, expect.any(String)],
  ])('when it %s reports that, and after a start computes everything again', async (_, what, reason) => {
    const { compiled, engine, events, expected, found, fullPass, order } = world(3, faulty)
    engine.load(compiled.plan)
    engine.start()
    await fullPass()
    order(what)
    await vi.waitFor(() => expect(events.failed).toHaveBeenCalledWith(reason), { timeout: 20_000 })
    expect(engine.table).toBeNull()
    engine.start()
    await fullPass()
    expect(found()).toEqual(expected())
    expect(events.failed).toHaveBeenCalledTimes(1)
  })

  it('stops while it hangs, and a second time without error', async () => {
    const { engine, order, compiled, fullPass, events } = world(4, faulty)
    engine.load(compiled.plan)
    engine.start()
    await fullPass()
    order(2)
    await engine.stop()
    await engine.stop()
    expect(events.failed).not.toHaveBeenCalled()
    expect(engine.drain(() => undefined, 1)).toBe(0)
  })
})
