// Short ASCII texts as eight-byte words: a store or two each, where copying a buffer costs a call. Up to seven bytes after the text are
// overwritten.

export interface AsciiWords {
  words: Float64Array
  size: number
}

/** ASCII only: no eight ASCII bytes form a NaN, whose bits an engine might change. */
export function asciiWords(text: string): AsciiWords {
  const bytes = Buffer.alloc(Math.ceil(text.length / 8) * 8)
  bytes.write(text, 'latin1')
  const words = Float64Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readDoubleLE(i * 8))
  return { words, size: text.length }
}

export function writeWords(out: DataView, at: number, { words, size }: AsciiWords): number {
  for (let i = 0; i < words.length; i++) out.setFloat64(at + i * 8, words[i]!, true)
  return at + size
}
