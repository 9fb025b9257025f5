// Surfaces of other sizes than the published one. They are kept between reads: who asks for a size again waits for the books that changed since.
import type { CompiledSurface } from './plan.ts'
import { Surface } from './surface.ts'

/** Sizes kept of one compiled surface; some 80 bytes a row each. */
const keptMax = 4

export interface SizedSurface {
  compiled: CompiledSurface
  surface: Surface
}

export class SizedSurfaces {
  private readonly arena: SharedArrayBuffer
  /** By size, least recently read first. They go with the surface they were made of. */
  private readonly kept = new WeakMap<CompiledSurface, Map<number, SizedSurface>>()

  constructor(arena: SharedArrayBuffer) {
    this.arena = arena
  }

  /** One reader's until it gives it back: nothing moves it between two steps of a read. `contracts` was found valid. */
  take(compiled: CompiledSurface, contracts: number): SizedSurface {
    const sizes = this.kept.get(compiled)
    const before = sizes?.get(contracts)
    if (before !== undefined) {
      sizes?.delete(contracts)
      return before
    }
    const plan = { ...compiled.plan, contracts }
    return { compiled: { ...compiled, plan }, surface: Surface.alone(plan, this.arena) }
  }

  giveBack(compiled: CompiledSurface, sized: SizedSurface): void {
    let sizes = this.kept.get(compiled)
    if (sizes === undefined) {
      sizes = new Map()
      this.kept.set(compiled, sizes)
    }
    sizes.set(sized.compiled.plan.contracts, sized)
    const [oldest] = sizes.keys()
    if (sizes.size > keptMax && oldest !== undefined) sizes.delete(oldest)
  }
}
