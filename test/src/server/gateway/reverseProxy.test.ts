// docs/examples/nginx.conf in front of a real gateway. Where nginx is not installed these are skipped.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { freePort } from '#test/support/freePort'
import { lacks } from '#test/support/required'
import { ambiguous } from './misframed.ts'
import { exchange } from './rawSocket.ts'
import { Client, startServer, type TestServer } from './support.ts'

const binary = ['/usr/sbin/nginx', ...(process.env.PATH ?? '').split(':').map((folder) => join(folder, 'nginx'))].find(
  (path) => existsSync(path),
)
if (binary === undefined) {
  const reason = 'nginx is not installed: the reverse proxy configuration is not tested here'
  lacks('nginx', reason)
  console.info(reason)
}

const example = fileURLToPath(new URL('../../../../docs/examples/nginx.conf', import.meta.url))

let server: TestServer
let nginx: ChildProcess
let folder: string
let port: number
let seen: string[]

async function startNginx(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'crossbook-nginx-'))
  await mkdir(join(folder, 'logs'))
  port = await freePort()
  const written = await readFile(example, 'utf8')
  const adapted = written
    .replace('server 127.0.0.1:8080;', `server 127.0.0.1:${server.gateway.port};`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 256; }
     http { access_log off; ${temporary.join(' ')} ${adapted} }`,
  )
  nginx = spawn(binary!, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  })
  await vi.waitFor(
    async () => {
      const tcp = connect(port, '127.0.0.1')
      await once(tcp, 'connect')
      tcp.destroy()
    },
    { timeout: 25_000 },
  )
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`

describe.skipIf(binary === undefined)('behind nginx as the documents configure it', () => {
  beforeAll(async () => {
    server = await startServer({
      http: (call) => {
        seen.push(call.path)
        const answer = { status: 200, headers: {}, body: `${call.path}${call.body}` }
        return call.path.startsWith('/later') ? wait(1, answer) : answer
      },
    })
    await startNginx()
  })
  afterAll(async () => {
    if (nginx !== undefined) {
      nginx.kill()
      if (nginx.exitCode === null) await once(nginx, 'exit')
    }
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(() => {
    seen = []
  })

  it('nginx accepts the configuration without warnings', () => {
    const { stderr } = spawnSync(binary!, ['-t', '-q', '-p', folder, '-c', join(folder, 'nginx.conf')], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
  })

  it.each([2, 10, 50])('answers %i requests in one packet, immediate or delayed, in order', async (count) => {
    const wanted = Array.from({ length: count }, (_, i) => ({ path: `/${i % 3 === 0 ? 'later' : 'now'}${i}`, i }))
    const requests = wanted.map(({ path, i }) => (i % 2 === 0 ? post(path, `b${i}`) : get(path)))
    const { answers } = await exchange(port, [requests.join('')], count)
    expect(answers.map(({ body }) => body)).toEqual(wanted.map(({ path, i }) => (i % 2 === 0 ? `${path}b${i}` : path)))
  })

  it.each(ambiguous)('$name never becomes two requests', async ({ request, refusedBy }) => {
    const { answers } = await exchange(port, [request], 1)
    expect(seen).not.toContain('/smuggled')
    if (refusedBy === 'us')
      expect(answers[0]).toMatchObject({ status: 400, body: expect.stringContaining('BAD_REQUEST') })
  })

  it.each(['Ké', 'éK', 'K\u00a0'])('refuses the Idempotency-Key %j instead of truncating it', async (key) => {
    const request = `POST /now HTTP/1.1\r\nHost: a\r\nIdempotency-Key: ${key}\r\nContent-Length: 0\r\n\r\n`
    const { answers } = await exchange(port, [request], 1)
    expect(answers[0]).toMatchObject({ status: 400, body: expect.stringContaining('BAD_REQUEST') })
    expect(seen).toEqual([])
  })

  it.each(['/metrics', '/metrics?x', '//metrics', '/%6detrics'])('%s is not reachable from outside', async (path) => {
    const { answers } = await exchange(port, [get(path)], 1)
    expect(answers[0]).toMatchObject({ status: 404, body: expect.stringContaining('NOT_FOUND') })
    expect(seen).toEqual([])
  })

  it('passes long queries and the stream', async () => {
    const { answers } = await exchange(port, [get(`/long?${'q'.repeat(16_384)}`)], 1)
    expect(answers[0]).toEqual({ status: 200, body: '/long' })
    const client = await Client.open(`ws://127.0.0.1:${port}/v1/stream`)
    client.ws.terminate()
  })
})
