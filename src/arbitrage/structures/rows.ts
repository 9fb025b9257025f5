// The current structures, by id, and which of them changed since they were last published.
import { createHash } from 'node:crypto'
import type { StructureRow } from '#schemas/structures'
import type { FoundInSet } from './engine.ts'
import { type Structure, structureKey } from './structure.ts'

const idLength = 20

export const structureId = (structure: Structure): string =>
  createHash('sha256').update(structureKey(structure)).digest('hex').slice(0, idLength)

const round = (value: number): number => Math.round(value * 1e6) / 1e6

export function structureRow(structure: Structure, proven: boolean, titleOf: (market: string) => string): StructureRow {
  const { legs, relations, weakest, ...rest } = structure
  return {
    id: structureId(structure),
    ...rest,
    legs: legs.map((leg) => ({ ...leg, title: titleOf(leg.market), price: round(leg.cost / leg.contracts) })),
    relations,
    weakest,
    proven,
  }
}

interface CurrentRow {
  row: StructureRow
  /** The row without its times. */
  words: string
}

export class StructureRows {
  private readonly sets = new Map<string, Map<string, CurrentRow>>()
  private readonly changed = new Map<string, StructureRow | null>()
  private readonly newTimes = new Map<string, StructureRow>()

  get size(): number {
    let count = 0
    for (const rows of this.sets.values()) count += rows.size
    return count
  }

  /** Everything now found in one set: structures no longer included are gone. */
  put({ name, structures, proven }: FoundInSet, titleOf: (market: string) => string): void {
    const before = this.sets.get(name)
    const now = new Map<string, CurrentRow>()
    for (const structure of structures) {
      const row = structureRow(structure, proven, titleOf)
      const words = wordsOf(row)
      now.set(row.id, { row, words })
      const held = before?.get(row.id)
      if (held?.words !== words) this.change(row.id, row)
      else if (held.row.asOf !== row.asOf && !this.changed.has(row.id)) this.newTimes.set(row.id, row)
    }
    for (const id of before?.keys() ?? []) if (!now.has(id)) this.change(id, null)
    if (now.size === 0) this.sets.delete(name)
    else this.sets.set(name, now)
  }

  drop(name: string): void {
    for (const id of this.sets.get(name)?.keys() ?? []) this.change(id, null)
    this.sets.delete(name)
  }

  /** Whether anything but times changed. */
  get due(): boolean {
    return this.changed.size > 0
  }

  /** Changes since the last call; `times`: including rows of which only the times changed. */
  take({ times }: { times: boolean }): { upserts: StructureRow[]; removes: string[] } {
    const upserts: StructureRow[] = []
    const removes: string[] = []
    for (const [id, row] of this.changed) {
      if (row === null) removes.push(id)
      else upserts.push(row)
    }
    this.changed.clear()
    if (times) {
      upserts.push(...this.newTimes.values())
      this.newTimes.clear()
    }
    return { upserts, removes }
  }

  *all(): Generator<StructureRow> {
    for (const rows of this.sets.values()) for (const { row } of rows.values()) yield row
  }

  /** Nothing is valid any more. */
  clear(): void {
    for (const name of [...this.sets.keys()]) this.drop(name)
  }

  private change(id: string, row: StructureRow | null): void {
    this.newTimes.delete(id)
    this.changed.set(id, row)
  }
}

const wordsOf = (row: StructureRow): string =>
  JSON.stringify({ ...row, asOf: null, legs: row.legs.map((leg) => ({ ...leg, asOf: null })) })
