// Surfaces of sizes other than the published one. They are cached between reads: requesting a size again only waits for the books that changed
// since.
import { Cache } from '#core/cache'
import type { CompiledSurface } from './compileSurface.ts'
import { Surface } from './surface.ts'

/** Sizes cached per compiled surface; about 80 bytes per row each. */
const keptMax = 4

export interface SizedSurface {
  compiled: CompiledSurface
  surface: Surface
}

export class SizedSurfaces {
  private readonly arena: SharedArrayBuffer
  /** By size. Discarded with the surface they were made from. */
  private readonly kept = new WeakMap<CompiledSurface, Cache<SizedSurface>>()

  constructor(arena: SharedArrayBuffer) {
    this.arena = arena
  }

  /**
   * Exclusive to one reader until returned: nothing changes it between two steps of a read. `contracts` is already
   * validated.
   */
  take(compiled: CompiledSurface, contracts: number): SizedSurface {
    const sizes = this.kept.get(compiled)
    const before = sizes?.get(String(contracts))
    if (before !== undefined) {
      sizes?.delete(String(contracts))
      return before
    }
    const plan = { ...compiled.plan, contracts }
    return { compiled: { ...compiled, plan }, surface: Surface.alone(plan, this.arena) }
  }

  giveBack(compiled: CompiledSurface, sized: SizedSurface): void {
    let sizes = this.kept.get(compiled)
    if (sizes === undefined) {
      sizes = new Cache<SizedSurface>(keptMax)
      this.kept.set(compiled, sizes)
    }
    sizes.set(String(sized.compiled.plan.contracts), sized)
  }
}
