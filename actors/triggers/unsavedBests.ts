// Best prices of trailing stops that are not in the database yet: the newest of each order.
import type { TrailBest } from '#storage/postgres/conditional/trailBests'

export class UnsavedBests {
  private readonly byId = new Map<string, number>()

  get size(): number {
    return this.byId.size
  }

  get(id: string): number | null {
    return this.byId.get(id) ?? null
  }

  note({ id, best }: TrailBest): void {
    this.byId.set(id, best)
  }

  /** Those that wait longest; they stay until they are saved. */
  first(limit: number): TrailBest[] {
    const page: TrailBest[] = []
    for (const [id, best] of this.byId) {
      if (page.length === limit) break
      page.push({ id, best })
    }
    return page
  }

  /** One that improved during the save waits again, behind the others. */
  saved(page: readonly TrailBest[]): void {
    for (const { id, best } of page) {
      const latest = this.byId.get(id)
      this.byId.delete(id)
      if (latest !== undefined && latest !== best) this.byId.set(id, latest)
    }
  }
}
