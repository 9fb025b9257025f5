// What a test fetches from Crossbook, over whatever socket and from whatever process, is what /openapi.json says: its status, what it is, and the
// body as far as the test reads it. Whoever answers without a request id is somebody else.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDocumented, type HoldAgainstDocument } from '#test/src/http/documented'
import { testHome } from './globalSetup.ts'

/** Files of one process share it. */
const held = Symbol.for('crossbook.tests.heldAnswers')
type Fetch = typeof fetch & { [held]?: true }

/** Made by the first answer: many test files have none. */
let document: Promise<HoldAgainstDocument> | undefined
const documentOf = (): Promise<HoldAgainstDocument> => {
  document ??= readDocument().then(createDocumented)
  return document
}

/** Who comes first writes it for the whole run: to make it takes every route there is. */
async function readDocument(): Promise<object> {
  const file = join(process.env[testHome]!, 'openapi.closed.json')
  const known = await readFile(file, 'utf8').catch(() => null)
  if (known !== null) return JSON.parse(known) as object
  const [{ buildOpenApi }, { routes }] = await Promise.all([import('#http/openapi'), import('#http/routes')])
  const text = JSON.stringify(buildOpenApi(routes, { version: 'test', closed: true }))
  await writeFile(`${file}.${process.pid}`, text)
  await rename(`${file}.${process.pid}`, file)
  return JSON.parse(text) as object
}

/** Pages for people and their parts (src/dashboard): no document lists them. */
const isPage = ({ headers, url }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/html') === true || new URL(url).pathname.startsWith('/ui/')

if ((globalThis.fetch as Fetch)[held] === undefined) {
  const plain = globalThis.fetch
  const holding: Fetch = async (input, init) => {
    const response = await plain(input, init)
    if (!response.headers.has('x-request-id') || isPage(response)) return response
    const hold = await documentOf()
    const answer = {
      method: (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase(),
      path: new URL(response.url).pathname,
      status: response.status,
      contentType: response.headers.get('content-type'),
    }
    hold({ ...answer, text: null })
    const read = response.text.bind(response)
    const text = async (): Promise<string> => {
      const whole = await read()
      hold({ ...answer, text: whole })
      return whole
    }
    return Object.assign(response, { text, json: async () => JSON.parse(await text()) as unknown })
  }
  holding[held] = true
  globalThis.fetch = holding
}
