// What commands ask a gateway, and the words for one that cannot be reached.

export interface Told<T> {
  data: T
  asOf?: string
}

interface Request {
  url: string
  apiKey: string
  path: string
  /** Makes it a POST. */
  body?: object
}

const answerWithinMs = 30_000

/** Throws an Error that names the address and the cause, or the code of the gateway's refusal. */
export async function askGateway<T>({ url, apiKey, path, body }: Request): Promise<Told<T>> {
  const response = await reach(`${url}${path}`, {
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  const answer = (await response.json().catch(() => ({}))) as Partial<Told<T>> & {
    error?: { code: string; message: string }
  }
  if (answer.error !== undefined) throw new Error(`${answer.error.code}: ${answer.error.message}`)
  if (answer.data === undefined) throw new Error(`${url} answers ${response.status}, and not as a gateway does`)
  return answer as Told<T>
}

/** Why no stream could be opened: the socket itself does not say. */
export async function whyNoStream(url: string): Promise<Error> {
  try {
    const { status } = await reach(url, {})
    return new Error(`${url} answers (${status}), but opens no stream`)
  } catch (error) {
    return error as Error
  }
}

async function reach(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { ...init, signal: AbortSignal.timeout(answerWithinMs) })
  } catch (error) {
    const { message, name, cause } = error as Error & { cause?: { code?: string; message?: string } }
    const why = name === 'TimeoutError' ? `no answer within ${answerWithinMs / 1_000} s` : undefined
    const { origin } = new URL(address)
    throw new Error(`cannot reach the gateway at ${origin}: ${why ?? cause?.code ?? cause?.message ?? message}`)
  }
}
