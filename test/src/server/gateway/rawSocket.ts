// Raw bytes to a gateway, and its responses.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'

export interface RawAnswer {
  status: number
  body: string
}

/**
 * Writes the pieces one after the other, each in packets of its own, and returns the responses once `count` of them are complete or the
 * server has closed.
 */
export async function exchange(
  port: number,
  pieces: readonly string[],
  count = Number.POSITIVE_INFINITY,
): Promise<{ answers: RawAnswer[]; closed: boolean }> {
  const tcp = connect({ port, host: '127.0.0.1', noDelay: true })
  let text = ''
  let closed = false
  const done = new Promise<void>((resolve) => {
    tcp.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (answersOf(text).length >= count) resolve()
    })
    tcp.on('error', () => undefined)
    tcp.on('close', () => {
      closed = true
      resolve()
    })
  })
  await once(tcp, 'connect')
  for (const piece of pieces) {
    await new Promise<void>((resolve) => tcp.write(piece, 'latin1', () => resolve()))
    // The server shares this process's event loop: it reads between two iterations.
    for (let turn = 0; turn < 3; turn++) await setImmediate()
  }
  await done
  tcp.destroy()
  return { answers: answersOf(text), closed }
}

/** Complete responses with a length. */
function answersOf(text: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let at = 0; ; ) {
    const headEnd = text.indexOf('\r\n\r\n', at)
    if (headEnd < 0) return answers
    const head = text.slice(at, headEnd)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    const end = headEnd + 4 + length
    if (text.length < end) return answers
    answers.push({ status: Number(head.slice(9, 12)), body: text.slice(headEnd + 4, end) })
    at = end
  }
}
