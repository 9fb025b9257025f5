// One request to the service: `await ask('POST', path, body)` returns `data`, or throws the error. A `retryable` error is retried a few
// times under the same idempotency key, so that the request is carried out only once.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

const { KEY, CROSSBOOK_URL = 'http://127.0.0.1:8080', URL: url = CROSSBOOK_URL } = process.env
const tries = 5

export async function ask(method, path, body, key = randomUUID()) {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'idempotency-key': key }
  for (let left = tries - 1; ; left--) {
    const answer = await fetch(`${url}${path}`, { method, headers, body: body && JSON.stringify(body) })
    const { success, data, error } = await answer.json()
    if (success) return data
    if (!error.retryable || left === 0) throw new Error(`${error.code}: ${error.message}`)
    await wait(1_000 * Number(answer.headers.get('retry-after') ?? 1))
  }
}
