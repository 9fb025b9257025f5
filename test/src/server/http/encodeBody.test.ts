// Compressed responses through the real gateway: the reader decompresses the original bytes, and a reader that
// disconnects stops the source.
import { get, type IncomingMessage } from 'node:http'
import { buffer, text } from 'node:stream/consumers'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { encodedBody } from '#server/http/encodeBody'
import { startServer, type TestServer } from '../gateway/support.ts'

let server: TestServer
afterEach(() => server.stop())

const lines = Array.from(
  { length: 20_000 },
  (_, i) => `{"k":"tob","ts":${1_780_000_000_000 + i},"bid":0.4,"seq":${i}}\n`,
)
let taken = 0
let ended = 0

async function* source(fails: number): AsyncGenerator<Uint8Array> {
  try {
    for (let i = 0; i < lines.length; i += 100) {
      if (taken === fails) throw new Error('the tape failed')
      taken += 1
      yield Buffer.from(lines.slice(i, i + 100).join(''))
    }
  } finally {
    ended += 1
  }
}

async function request(acceptEncoding: string | null, fails = -1): Promise<IncomingMessage> {
  taken = 0
  ended = 0
  server = await startServer({
    http: (call) => {
      const { chunks, headers } = encodedBody(call, source(fails))
      return { status: 200, headers: { 'content-type': 'application/x-ndjson', ...headers }, body: chunks }
    },
  })
  const headers = acceptEncoding === null ? {} : { 'accept-encoding': acceptEncoding }
  return new Promise((resolve, reject) => get(server.gateway.url, { headers }, resolve).on('error', reject))
}

describe('a compressed stream', () => {
  it.each([
    ['gzip, deflate', 'gzip', () => createGunzip()],
    ['gzip, zstd', 'zstd', () => createZstdDecompress()],
  ] as const)('%s: %s, the same bytes with a smaller size', async (accepts, coding, unpacker) => {
    const answer = await request(accepts)
    expect(answer.headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding' })
    let wire = 0
    answer.on('data', (chunk: Buffer) => {
      wire += chunk.length
    })
    expect(await text(answer.pipe(unpacker()))).toBe(lines.join(''))
    expect(wire).toBeLessThan(lines.join('').length / 5)
  })

  it('is one frame in zstd, also when short, because some readers accept only one', async () => {
    const answer = await request('zstd')
    const wire = await buffer(answer)
    const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
    expect(wire.indexOf(frame)).toBe(0)
    expect(wire.indexOf(frame, 1)).toBe(-1)
  })

  it('is not compressed for a reader that does not request it', async () => {
    const answer = await request(null)
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.headers.vary).toBe('Accept-Encoding')
    expect(await text(answer)).toBe(lines.join(''))
  })

  it('that fails before its first byte returns an uncompressed error', async () => {
    const answer = await request('gzip', 0)
    expect(answer.statusCode).toBe(500)
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(await text(answer))).toMatchObject({ error: { code: 'INTERNAL' } })
  })

  it('that fails later is cut off, never ended normally', async () => {
    const answer = await request('gzip', 100)
    await expect(text(answer)).rejects.toThrow('aborted')
  })

  it('ends its source when its reader disconnects', async () => {
    const answer = await request('zstd')
    answer.destroy()
    await vi.waitFor(() => expect(ended).toBe(1))
  })
})
