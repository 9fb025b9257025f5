// The dashboard over a real gateway: built from its sources, as a fresh clone serves it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Log, silentLog } from '#core/log'
import type { ErrorEnvelope } from '#schemas/errors'
import { createDashboardFiles, type DashboardFiles } from '#server/dashboard/files'
import { prefersHtml } from '#server/dashboard/prefersHtml'
import { withDashboard } from '#server/dashboard/serve'
import type { HttpCall, HttpHandler } from '#server/http/contract'
import { startServer, type TestServer } from '../gateway/support.ts'

const files = createDashboardFiles()
const json: HttpHandler = () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: '{}' })
let server: TestServer
beforeAll(async () => {
  server = await startServer({ http: withDashboard(json, { files, log: silentLog }) })
})
afterAll(() => server.stop())

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${server.gateway.url}${path}`, { method, headers })
const namesIn = (text: string): string[] => [...text.matchAll(/"(\/ui\/assets\/[^"]+)"/g)].map(([, name]) => name!)

describe('/ui', () => {
  it('is a page under a strict policy, and has nothing inline that the policy would refuse', async () => {
    const answer = await get('/ui')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(answer.headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    const page = await answer.text()
    expect(page).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son\w+=|https?:/)
    expect(await (await get('/ui/')).text()).toBe(page)
  })

  it('names its parts by their hashes, so that browsers can cache them forever', async () => {
    const names = namesIn(await (await get('/ui')).text())
    const types = await Promise.all(
      names.map(async (name) => {
        const { status, headers } = await get(name)
        expect(status, name).toBe(200)
        expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
        return headers.get('content-type')
      }),
    )
    expect(types.toSorted()).toEqual(['image/svg+xml', 'text/css; charset=utf-8', 'text/javascript; charset=utf-8'])
    for (const name of names) expect(name).toMatch(/-[0-9A-Za-z]{8}\.\w+$/)
  })

  it('has a first page of less than 200 kB compressed: code for charts and fees is loaded later', async () => {
    const page = await (await get('/ui')).text()
    const first = new Set(namesIn(page).map((name) => name.slice('/ui/assets/'.length)))
    const built = await files()
    // The imports of a module that load before it runs; `import()` does not count.
    for (const name of first)
      for (const [, imported] of built
        .get(name)!
        .bytes.toString()
        .matchAll(/from"\.\/([^"]+)"|import"\.\/([^"]+)"/g))
        if (imported !== undefined) first.add(imported)
    const bytes = [page, ...[...first].map((name) => built.get(name)!.bytes)].map((part) => gzipSync(part).length)
    expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(200_000)
    expect([...first].some((name) => name.startsWith('Chart-'))).toBe(false)
    expect([...built.keys()].some((name) => name.startsWith('Chart-'))).toBe(true)
  })

  it('answers 304 to a browser that has it, and compresses it for one that accepts that', async () => {
    const { headers } = await get('/ui', { 'accept-encoding': 'gzip' })
    expect(headers.get('content-encoding')).toBe('gzip')
    const etag = headers.get('etag')!
    expect((await get('/ui', { 'if-none-match': etag })).status).toBe(304)
    expect((await get('/ui', { 'if-none-match': '"another"' })).status).toBe(200)
    expect((await get('/ui', { 'accept-encoding': 'identity' })).headers.get('content-encoding')).toBeNull()
  })

  it.each([
    ['GET', '/ui/assets/none.js', 404, 'ROUTE_NOT_FOUND'],
    ['GET', '/ui/assets/index.html', 404, undefined],
    ['GET', '/ui/assets/..%2findex.html', 404, undefined],
    ['POST', '/ui', 405, 'BAD_REQUEST'],
  ])('answers %s %s with %i', async (method, path, status, code) => {
    const answer = await get(path, {}, method)
    // Other paths go to the API.
    if (code === undefined) expect(await answer.text()).toBe('{}')
    else {
      const { error } = (await answer.json()) as ErrorEnvelope
      expect([answer.status, error.code]).toEqual([status, code])
    }
  })

  it('answers HEAD and OPTIONS', async () => {
    expect((await get('/ui', {}, 'HEAD')).status).toBe(200)
    const { status, headers } = await get('/ui', {}, 'OPTIONS')
    expect([status, headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
  })
})

describe('/', () => {
  it('is a page for a browser, and data for a program', async () => {
    const page = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'/)
    const links = [...(await page.text()).matchAll(/<a href="([^"]+)"/g)].map(([, link]) => link)
    expect(links).toEqual(['/ui', '/docs', '/openapi.json', '/asyncapi.json', '/health', '/ready'])
    expect(await (await get('/')).text()).toBe('{}')
  })

  it.each<[string | undefined, boolean]>([
    ['text/html', true],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['text/html;q=0.5, application/json', false],
    ['application/json, text/html;q=0.9', false],
    ['text/html;q=0', false],
    ['*/*', false],
    ['application/json', false],
    ['', false],
    [undefined, false],
  ])('treats a client that accepts %s as a browser: %s', (accept, isBrowser) => {
    expect(prefersHtml(accept)).toBe(isBrowser)
  })
})

describe('the compiled program', () => {
  it('serves the built files, and needs no compiler', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'crossbook-ui-'))
    try {
      for (const [name, { bytes }] of await files()) await writeFile(join(folder, name), bytes)
      const tagsOf = (served: DashboardFiles) =>
        [...served].map(([name, { etag, contentType }]) => [name, etag, contentType])
      const built = await createDashboardFiles(folder)()
      expect(tagsOf(built).toSorted()).toEqual(tagsOf(await files()).toSorted())
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

it('a failed build is 500 and logged', async () => {
  const logged: string[] = []
  const log = { ...silentLog, error: (_: unknown, words: string) => logged.push(words) } as unknown as Log
  const missing = createDashboardFiles(join(tmpdir(), 'no-such-folder'))
  const call = { path: '/ui', method: 'GET', headers: {} } as HttpCall
  expect(await withDashboard(json, { files: missing, log })(call)).toMatchObject({ status: 500 })
  expect(logged).toEqual(['the dashboard could not be built'])
})

describe('/docs', () => {
  it('is a page under the same policy, made of parts of the same origin', async () => {
    const answer = await get('/docs')
    expect(answer.headers.get('content-security-policy')).toBe(
      (await get('/ui')).headers.get('content-security-policy'),
    )
    const page = await answer.text()
    expect(page).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son\w+=|https?:/)
    expect(await (await get('/docs/')).text()).toBe(page)
    const script = namesIn(page).find((name) => name.startsWith('/ui/assets/docs-'))!
    expect((await get(script)).headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })
})
