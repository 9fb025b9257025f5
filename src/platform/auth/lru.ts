// A map that evicts the least recently used entry, so that strangers cannot fill memory.

export class Lru<V> {
  private readonly entries = new Map<string, V>()
  private readonly entriesMax: number
  /** A repeated lookup of it is neither searched nor moved: moving on every request wears the map out. */
  private youngest: string | undefined
  private youngestValue: V | undefined

  constructor(entriesMax: number) {
    this.entriesMax = entriesMax
  }

  get size(): number {
    return this.entries.size
  }

  get(key: string): V | undefined {
    if (key === this.youngest) return this.youngestValue
    const value = this.entries.get(key)
    if (value !== undefined) this.rejuvenate(key, value)
    return value
  }

  set(key: string, value: V): void {
    this.rejuvenate(key, value)
    if (this.entries.size > this.entriesMax) this.entries.delete(this.entries.keys().next().value!)
  }

  delete(key: string): void {
    this.entries.delete(key)
    if (key === this.youngest) this.youngest = this.youngestValue = undefined
  }

  /** Maps keep insertion order: deleting and reinserting makes it the youngest. */
  private rejuvenate(key: string, value: V): void {
    this.entries.delete(key)
    this.entries.set(key, value)
    this.youngest = key
    this.youngestValue = value
  }
}
