import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPinnedSender } from '#net/ipPinnedSender'
import { traceDials } from '#test/src/platform/webhooks/dialTrace'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const host = 'hooks.example.com'
let folder: string
let server: Server
let ca: string
let port: number
const seen: { servername: string; host: string | undefined; body: string }[] = []

beforeAll(async () => {
  if (!hasOpenssl) return
  folder = mkdtempSync(join(tmpdir(), 'crossbook-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${host} -addext subjectAltName=DNS:${host} -keyout ${key} -out ${cert}`.split(
      ' ',
    ),
    { stdio: 'pipe' },
  )
  ca = readFileSync(cert, 'utf8')
  server = createServer({ key: readFileSync(key), cert: ca }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const socket = request.socket as unknown as { servername: string }
      seen.push({ servername: socket.servername, host: request.headers.host, body: Buffer.concat(chunks).toString() })
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server?.close()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

const post = (sender: ReturnType<typeof createPinnedSender>, hostname: string, addresses: string[]) =>
  sender.post({
    url: new URL(`https://${hostname}:${port}/in`),
    addresses,
    headers: { 'content-type': 'application/json' },
    text: '{"a":1}',
    signal: AbortSignal.timeout(10_000),
  })

describe.skipIf(!hasOpenssl)('the pinned sender (skipped without openssl)', () => {
  it('connects to the checked address with the name in TLS and Host, without resolving it again', async () => {
    const trace = traceDials()
    try {
      expect(await post(createPinnedSender({ ca }), host, ['127.0.0.1'])).toBe(204)
      expect(trace.dialled).toEqual([`127.0.0.1:${port}`])
      expect(seen.at(-1)).toEqual({ servername: host, host: `${host}:${port}`, body: '{"a":1}' })
    } finally {
      trace.stop()
    }
  })

  it('tries the next checked address when one refuses the connection', async () => {
    // Nothing listens there: the server is on 127.0.0.1 only.
    expect(await post(createPinnedSender({ ca }), host, ['127.0.0.2', '127.0.0.1'])).toBe(204)
  })

  it('refuses a certificate of another name, and an untrusted one', async () => {
    const before = seen.length
    await expect(post(createPinnedSender({ ca }), 'other.example.com', ['127.0.0.1'])).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    })
    await expect(post(createPinnedSender(), host, ['127.0.0.1'])).rejects.toMatchObject({
      code: expect.stringMatching(/SELF_SIGNED|UNABLE_TO_VERIFY/),
    })
    expect(seen).toHaveLength(before)
  })

  it('keeps no connection open: each post connects again', async () => {
    const trace = traceDials()
    try {
      const sender = createPinnedSender({ ca })
      await post(sender, host, ['127.0.0.1'])
      await post(sender, host, ['127.0.0.1'])
      expect(trace.dialled).toHaveLength(2)
    } finally {
      trace.stop()
    }
  })
})
