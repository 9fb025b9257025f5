// What a test fetches from Crossbook, over whatever socket and from whatever process, is what /openapi.json says: its status, what it is, and the
// body as far as the test reads it. Whoever answers without a request id is somebody else.
import type { HoldAgainstDocument } from '#test/src/http/documented'

/** Files of one process share it. */
const held = Symbol.for('crossbook.tests.heldAnswers')
type Fetch = typeof fetch & { [held]?: true }

/** For people (src/dashboard): no document lists them. */
const isPage = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('text/html') === true

/** Made by the first answer: many test files have none. */
let document: Promise<HoldAgainstDocument> | undefined
const documentOf = (): Promise<HoldAgainstDocument> => {
  document ??= Promise.all([import('#test/src/http/documented'), import('#http/routes')]).then(
    ([{ createDocumented }, { routes }]) => createDocumented(routes),
  )
  return document
}

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
