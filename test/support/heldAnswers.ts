// Checks every response that a test fetches from Crossbook, over any socket and from any process, against /openapi.json: status, type, and
// the body as far as the test reads it. Of responses read with node:http, status and type are checked. A response without a request id is
// from another server.
import { subscribe } from 'node:diagnostics_channel'
import { readFile, rename, writeFile } from 'node:fs/promises'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type CheckResponse, createDocumented } from '#test/src/server/http/documented'
import { testHome } from './globalSetup.ts'

/** Files of one process share it. */
const held = Symbol.for('crossbook.tests.heldAnswers')
type Fetch = typeof fetch & { [held]?: true }

/** Made by the first response: many test files have none. All files of one process use the same. */
const documentKey = Symbol.for('crossbook.tests.document')
const shared = globalThis as { [documentKey]?: Promise<CheckResponse> }
const documentOf = (): Promise<CheckResponse> => {
  shared[documentKey] ??= readDocument().then(createDocumented)
  return shared[documentKey]
}

/** The modules it is made from can only be loaded while a test file runs. */
afterAll(() => shared[documentKey]?.then(() => undefined), 60_000)

/** The first process writes it for the whole run: making it needs every route. */
async function readDocument(): Promise<object> {
  const file = join(process.env[testHome]!, 'openapi.closed.json')
  const known = await readFile(file, 'utf8').catch(() => null)
  if (known !== null) return JSON.parse(known) as object
  const [{ buildOpenApi }, { routes }] = await Promise.all([import('#server/http/openapi'), import('#roles/routes')])
  const text = JSON.stringify(buildOpenApi(routes, { version: 'test', closed: true }))
  await writeFile(`${file}.${process.pid}`, text)
  await rename(`${file}.${process.pid}`, file)
  return JSON.parse(text) as object
}

/** Types whose body can be checked against a schema; of any other, only the type is checked. */
const isText = (contentType: string | null): boolean => /^application\/(x-nd)?json\b|^text\//.test(contentType ?? '')

/** Pages for people and their parts (src/server/dashboard) are in no document. */
const isPage = ({ headers, url }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/html') === true || new URL(url).pathname.startsWith('/ui/')

if ((globalThis.fetch as Fetch)[held] === undefined) {
  const plain = globalThis.fetch
  const holding: Fetch = async (input, init) => {
    const response = await plain(input, init)
    if (!response.headers.has('x-request-id') || isPage(response)) return response
    const answer = {
      method: (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase(),
      path: new URL(response.url).pathname,
      status: response.status,
      contentType: response.headers.get('content-type'),
    }
    // Not awaited here: the caller's deadline is meant for the response, and making the document takes long on a busy machine.
    const head = documentOf().then((hold) => hold({ ...answer, text: null }))
    const holdText = async (text: string): Promise<void> => {
      await head
      ;(await documentOf())({ ...answer, text })
    }
    const read = response.text.bind(response)
    const text = async (): Promise<string> => {
      const whole = await read()
      await holdText(whole)
      return whole
    }
    const readBytes = response.arrayBuffer.bind(response)
    const arrayBuffer = async (): Promise<ArrayBuffer> => {
      const bytes = await readBytes()
      if (isText(answer.contentType)) await holdText(new TextDecoder().decode(bytes))
      return bytes
    }
    const bytes = async (): Promise<Uint8Array> => new Uint8Array(await arrayBuffer())
    const json = async (): Promise<unknown> => JSON.parse(await text())
    return Object.assign(response, { text, json, arrayBuffer, bytes })
  }
  holding[held] = true
  globalThis.fetch = holding
  // An unhandled rejection fails the run with this message.
  subscribe('http.client.response.finish', (message) => void holdHead(message as Exchange))
}

interface Exchange {
  request: ClientRequest
  response: IncomingMessage
}

async function holdHead({ request, response }: Exchange): Promise<void> {
  const { statusCode, headers } = response
  if (headers['x-request-id'] === undefined) return
  const contentType = headers['content-type'] ?? null
  const path = request.path.split('?')[0]!
  if (contentType?.startsWith('text/html') === true || path.startsWith('/ui/')) return
  const hold = await documentOf()
  hold({ method: request.method, path, status: statusCode!, contentType, text: null })
}
