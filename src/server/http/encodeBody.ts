// A streamed answer in the content coding the client requested. Compression runs off the loop; a slow reader applies backpressure like on any
// other stream.
import type { Transform } from 'node:stream'
import { constants, createGzip, createZstdCompress } from 'node:zlib'
import { acceptedEncoding } from '#core/acceptEncoding'
import type { HttpCall } from './contract.ts'

/** On a tie, zstd: a third of gzip's time for the same size. */
const codings = ['zstd', 'gzip'] as const

/**
 * Fast, because a page is compressed for one reader: level 1 leaves a sixth of NDJSON, level 6 an eighth in three times the time.
 */
const packerOf = {
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  gzip: () => createGzip({ level: 1 }),
} as const

export interface EncodedBody {
  chunks: AsyncIterable<Uint8Array>
  headers: Readonly<Record<string, string>>
}

export function encodedBody({ headers }: Pick<HttpCall, 'headers'>, chunks: AsyncIterable<Uint8Array>): EncodedBody {
  const coding = acceptedEncoding(headers['accept-encoding'], codings)
  const vary = { vary: 'Accept-Encoding' }
  if (coding === null) return { chunks, headers: vary }
  return { chunks: packed(chunks, coding), headers: { ...vary, 'content-encoding': coding } }
}

/** Nothing is read before the first chunk is requested, so that an early failure is still reported as one. */
async function* packed(
  chunks: AsyncIterable<Uint8Array>,
  coding: (typeof codings)[number],
): AsyncGenerator<Uint8Array> {
  const packer = packerOf[coding]()
  const source = chunks[Symbol.asyncIterator]()
  // A failure surfaces to the reader of the packer.
  void fill(packer, source).catch((error: Error) => packer.destroy(error))
  try {
    for await (const chunk of packer) yield chunk as Uint8Array
  } finally {
    packer.destroy()
    // The reader is done, or gone: nothing waits for the source to close.
    void source.return?.()
  }
}

/**
 * The end is signalled only once the last chunk is compressed. Signalled earlier, as a pipeline does, Node closes the zstd frame twice and sends
 * an empty second one, which Python's httpx refuses.
 */
async function fill(packer: Transform, source: AsyncIterator<Uint8Array>): Promise<void> {
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    const { value } = next
    await new Promise<void>((resolve, reject) => {
      packer.write(value, (error) => (error ? reject(error) : resolve()))
    })
  }
  packer.end()
}
