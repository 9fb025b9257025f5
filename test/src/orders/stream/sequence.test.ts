// Numbers assigned before their transactions commit: in every commit order, each row is returned once and none is skipped.
import { expect, it } from 'vitest'
import { createPrng } from '#lab/prng'
import { missingMax, Sequence } from '#orders/stream/sequence'

const long = process.env.CROSSBOOK_TEST_LONG === '1'

/** A table and its transactions: each takes a number when it begins, and commits or rolls back later. */
class Table {
  private readonly committed = new Set<number>()
  private readonly running = new Map<number, number>()
  private nextId = 1
  private nextXid = 1

  begin(): number {
    const id = this.nextId++
    this.running.set(id, this.nextXid++)
    return id
  }

  end(id: number, commits: boolean): void {
    this.running.delete(id)
    if (commits) this.committed.add(id)
  }

  get open(): number[] {
    return [...this.running.keys()]
  }

  read(after: number, missing: readonly number[], limit: number) {
    const above = [...this.committed].filter((id) => id > after).sort((a, b) => a - b)
    const ids = [...missing.filter((id) => this.committed.has(id)), ...above.slice(0, limit)].sort((a, b) => a - b)
    const xmin = Math.min(this.nextXid, ...this.running.values())
    return { rows: ids.map((id) => ({ id, row: id })), xmin: BigInt(xmin), xmax: BigInt(this.nextXid) }
  }
}

it('returns every committed row once, and does not wait forever for a number', () => {
  for (let seed = 0; seed < (long ? 300 : 30); seed++) {
    const prng = createPrng(`sequence ${seed}`)
    const table = new Table()
    const sequence = new Sequence(0)
    const returned: number[] = []
    const committed: number[] = []
    const look = () => {
      const page = sequence.take(table.read(sequence.after, sequence.missing, 1 + prng.int(5)))
      expect(page.lost).toBe(false)
      returned.push(...page.rowsInOrder)
    }
    const end = () => {
      const { open } = table
      const id = open[prng.int(open.length)]!
      const commits = prng.chance(0.8)
      if (commits) committed.push(id)
      table.end(id, commits)
    }
    for (let step = 0; step < 200; step++) {
      const what = prng.int(4)
      if (what < 2) table.begin()
      else if (what === 2 && table.open.length > 0) end()
      else look()
    }
    while (table.open.length > 0) end()
    for (let i = 0; i < 200; i++) look()
    // Another transaction, so that there is a later snapshot.
    table.end(table.begin(), false)
    look()
    expect(returned.toSorted((a, b) => a - b)).toEqual(committed.toSorted((a, b) => a - b))
    expect(sequence.missing).toEqual([])
  }
})

it('reports when more numbers are missing than it waits for', () => {
  const sequence = new Sequence(0)
  const page = (id: number, xmax: bigint) => ({ rows: [{ id, row: id }], xmin: 0n, xmax })
  expect(sequence.take(page(1, 1n)).lost).toBe(false)
  expect(sequence.take(page(missingMax + 3, 2n)).lost).toBe(true)
  expect(sequence.missing).toHaveLength(missingMax)
  expect(sequence.take(page(missingMax + 5, 3n)).lost).toBe(true)
  expect(sequence.missing).toHaveLength(missingMax)
})
