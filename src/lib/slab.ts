// Many small pieces of a few large buffers. A buffer of its own for each of a hundred thousand rows costs the garbage collector a pause;
// a piece costs it nothing. Pieces given back are given out again.

/** Pieces come in multiples of this. */
const grainBytes = 128
const slabBytes = 1024 * 1024

export class Slab {
  private slab = Buffer.alloc(0)
  private used = 0
  private readonly free = new Map<number, Buffer[]>()
  private readonly views = new WeakMap<ArrayBufferLike, DataView>()

  /** At least `bytes` long; holds whatever was there before. */
  take(bytes: number): Buffer {
    const size = Math.max(1, Math.ceil(bytes / grainBytes)) * grainBytes
    return this.free.get(size)?.pop() ?? this.cut(size)
  }

  /** The text as UTF-8 in a piece of that very length: to be kept, not to be given back. */
  text(text: string): Buffer {
    const piece = this.cut(Buffer.byteLength(text))
    piece.write(text)
    return piece
  }

  /** Of the whole buffer the piece is in, one for all of its pieces: a piece begins at its `byteOffset`. */
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
