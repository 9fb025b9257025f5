import { compileSurface } from '#arbitrage/plan'
import { Surface } from '#arbitrage/surface'
import { BenchWorld } from './arbitrageWorld.ts'
const world = new BenchWorld(5_000, () => 10)
const { plan } = compileSurface(world.clusters, { contracts: 100, limit: 1e9, slotOf: world.slotOf })
const s = Surface.alone(plan, world.arena)
const asOf = (s as unknown as { table: { asOf: Float64Array } }).table.asOf
const t: number[] = []
for (let i = 0; i < 300; i++) {
  asOf.fill(0)
  const b = performance.now()
  s.pass()
  t.push(performance.now() - b)
}
t.sort((a, b) => a - b)
console.log('min', t[0]!.toFixed(2), 'median', t[150]!.toFixed(2))
