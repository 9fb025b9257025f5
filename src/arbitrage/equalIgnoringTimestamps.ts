// Whether two encodings of a row are equal except for the times of its books. Both are ours: times have a fixed width, and no text within
// a string looks like their key.
import { isoBytes } from './numberEncoder.ts'

const key = Buffer.from('"asOf":"')

/** Compares the first `size` bytes. */
export function equalIgnoringTimestamps(a: Buffer, b: Buffer, size: number): boolean {
  let from = 0
  while (from < size) {
    const at = b.indexOf(key, from)
    const to = at < 0 || at >= size ? size : at + key.length
    if (a.compare(b, from, to, from, to) !== 0) return false
    from = to === size ? size : to + isoBytes
  }
  return true
}
