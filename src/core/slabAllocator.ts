// Many small pieces of a few large buffers. Separate buffers for a hundred thousand rows cost the garbage collector a pause; pieces cost
// it nothing. Returned pieces are reused.

/** Pieces come in multiples of this. */
const grainBytes = 128
const slabBytes = 1024 * 1024

export class Slab {
  private slab = Buffer.alloc(0)
  private used = 0
  private readonly free = new Map<number, Buffer[]>()
  private readonly views = new WeakMap<ArrayBufferLike, DataView>()

  /** At least `bytes` long; contains leftovers. */
  take(bytes: number): Buffer {
    const size = Math.max(1, Math.ceil(bytes / grainBytes)) * grainBytes
    return this.free.get(size)?.pop() ?? this.cut(size)
  }

  /** The text as UTF-8 in a piece of exactly that length: to be kept, not to be returned. */
  text(text: string): Buffer {
    const piece = this.cut(Buffer.byteLength(text))
    piece.write(text)
    return piece
  }

  /** Over the whole buffer of the piece, shared by all of its pieces: a piece begins at its `byteOffset`. */
  view({ buffer }: Buffer): DataView {
    let view = this.views.get(buffer)
    if (view === undefined) {
      view = new DataView(buffer)
      this.views.set(buffer, view)
    }
    return view
  }

  /** The piece must not be used after this. */
  giveBack(piece: Buffer): void {
    const list = this.free.get(piece.length)
    if (list === undefined) this.free.set(piece.length, [piece])
    else list.push(piece)
  }

  private cut(size: number): Buffer {
    if (size > slabBytes) return Buffer.allocUnsafeSlow(size)
    if (this.used + size > this.slab.length) {
      this.slab = Buffer.allocUnsafeSlow(slabBytes)
      this.used = 0
    }
    const piece = this.slab.subarray(this.used, this.used + size)
    this.used += size
    return piece
  }
}
