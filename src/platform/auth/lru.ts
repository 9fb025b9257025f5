// A map that forgets what was not asked for longest, so that strangers cannot fill memory.

export class Lru<V> {
  private readonly entries = new Map<string, V>()
  private readonly entriesMax: number
  /** Asked for again it need not be moved: what is moved on every request wears the map out. */
  private youngest: string | undefined

  constructor(entriesMax: number) {
    this.entriesMax = entriesMax
  }

  get size(): number {
    return this.entries.size
  }

  get(key: string): V | undefined {
    const value = this.entries.get(key)
    if (value === undefined || key === this.youngest) return value
    // Maps keep insertion order: taking it out and putting it back makes it the youngest.
    this.entries.delete(key)
    this.entries.set(key, value)
    this.youngest = key
    return value
  }

  set(key: string, value: V): void {
    this.entries.delete(key)
    this.entries.set(key, value)
    this.youngest = key
    if (this.entries.size > this.entriesMax) this.entries.delete(this.entries.keys().next().value!)
  }

  delete(key: string): void {
    this.entries.delete(key)
  }
}
