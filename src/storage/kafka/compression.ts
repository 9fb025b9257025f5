// Batches are compressed with zstd, by Node's own implementation: kafkajs brings only gzip.
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib'
import kafkajs, { type CompressionTypes } from 'kafkajs'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

export type Compression = 'zstd' | 'none'

/** Below it a batch shrinks by less than it costs each of its readers. */
const compressedFromBytes = 4_096
/** Up to here the work takes less time than handing it to another thread (0.1 ms). */
const inPlaceBytesMax = 32 * 1_024
/** Of one batch once it is decompressed: many times what a send carries. */
const batchBytesMax = 64 * 1_024 * 1_024

const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const bounded = { maxOutputLength: batchBytesMax }

const codec = {
  compress: async ({ buffer }: { buffer: Buffer }): Promise<Buffer> =>
    buffer.length <= inPlaceBytesMax ? zstdCompressSync(buffer, fast) : compress(buffer, fast),
  decompress: async (bytes: Buffer): Promise<Buffer> =>
    bytes.length <= inPlaceBytesMax / 4 ? zstdDecompressSync(bytes, bounded) : decompress(bytes, bounded),
}

/** For all clients of this process; a second call changes nothing. */
export function registerCompression(): void {
  kafkajs.CompressionCodecs[kafkajs.CompressionTypes.ZSTD] = () => codec
}

/** `bytes`: of one batch, which is what goes to one partition in one send. */
export const compressionFor = (compression: Compression, bytes: number): CompressionTypes =>
  compression === 'none' || bytes < compressedFromBytes ? kafkajs.CompressionTypes.None : kafkajs.CompressionTypes.ZSTD
