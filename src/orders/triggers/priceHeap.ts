// Armed orders of one book and kind by level: a heap whose top is reached first. Whether a sample reaches anything is one comparison;
// arming and disarming cost O(log n).

import { unreachable } from './rule.ts'

export class Thresholds {
  size = 0
  private keys = new Int32Array(8)
  private handles = new Int32Array(8)

  /** `places`: each handle's index; shared by all heaps, since an order is in one. It must have room for the handle. */
  add(key: number, handle: number, places: Int32Array): void {
    if (this.size === this.keys.length) this.grow()
    this.size++
    this.rise(this.size - 1, key, handle, places)
  }

  remove(handle: number, places: Int32Array): void {
    const at = places[handle]!
    this.size--
    if (at === this.size) return
    const key = this.keys[this.size]!
    const moved = this.handles[this.size]!
    if (at > 0 && key < this.keys[(at - 1) >> 1]!) this.rise(at, key, moved, places)
    else this.sink(at, key, moved, places)
  }

  get top(): number {
    return this.size === 0 ? unreachable : this.keys[0]!
  }

  /** Writes the handles of everything `value` reaches into `into`, from `at` on; returns the end. `into` must have room for `size`. */
  reached(value: number, into: Int32Array, at: number): number {
    const { keys, handles, size } = this
    if (size === 0 || keys[0]! > value) return at
    // Nothing below an unreached node is reached: the list is its own queue of places to descend from.
    into[at] = 0
    let end = at + 1
    for (let next = at; next < end; next++) {
      const place = into[next]!
      const left = 2 * place + 1
      if (left < size && keys[left]! <= value) into[end++] = left
      if (left + 1 < size && keys[left + 1]! <= value) into[end++] = left + 1
      into[next] = handles[place]!
    }
    return end
  }

  private rise(from: number, key: number, handle: number, places: Int32Array): void {
    const { keys, handles } = this
    let at = from
    while (at > 0) {
      const above = (at - 1) >> 1
      if (keys[above]! <= key) break
      keys[at] = keys[above]!
      handles[at] = handles[above]!
      places[handles[at]!] = at
      at = above
    }
    keys[at] = key
    handles[at] = handle
    places[handle] = at
  }

  private sink(from: number, key: number, handle: number, places: Int32Array): void {
    const { keys, handles, size } = this
    let at = from
    for (;;) {
      let below = 2 * at + 1
      if (below >= size) break
      if (below + 1 < size && keys[below + 1]! < keys[below]!) below++
      if (keys[below]! >= key) break
      keys[at] = keys[below]!
      handles[at] = handles[below]!
      places[handles[at]!] = at
      at = below
    }
    keys[at] = key
    handles[at] = handle
    places[handle] = at
  }

  private grow(): void {
    const keys = new Int32Array(this.keys.length * 2)
    const handles = new Int32Array(keys.length)
    keys.set(this.keys)
    handles.set(this.handles)
    this.keys = keys
    this.handles = handles
  }
}
