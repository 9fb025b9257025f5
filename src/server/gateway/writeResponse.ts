// Writes an answer to the transport: in one piece when it is bytes, with backpressure when it is a stream.
import { STATUS_CODES } from 'node:http'
import type { HttpAnswer } from '#server/http/contract'
import type { UwsCall } from './request.ts'
import type { HttpResponse } from './uws.ts'

const statusLines = new Map(Object.entries(STATUS_CODES).map(([status, text]) => [Number(status), `${status} ${text}`]))
/** The separator between two values; empty for headers the transport sets itself. */
const separators = new Map([
  ['content-length', ''],
  ['transfer-encoding', ''],
  ['connection', ''],
])

function separatorOf(name: string): string {
  let separator = separators.get(name)
  if (separator === undefined) {
    separator = `\r\n${name}: `
    // Names are ours, so there are few.
    separators.set(name, separator)
  }
  return separator
}

function writeHead(response: HttpResponse, { status, headers }: HttpAnswer): void {
  if (status !== 200) response.writeStatus(statusLines.get(status) ?? String(status))
  // Joined: a call of the transport costs as much as sending a hundred bytes, and it writes the value verbatim.
  let first: string | undefined
  let lines = ''
  for (const name in headers) {
    const separator = separatorOf(name)
    if (separator === '') continue
    if (first !== undefined) lines += separator + headers[name]!
    else {
      first = name
      lines = headers[name]!
    }
  }
  if (first !== undefined) response.writeHeader(first, lines)
}

export const isStream = (body: HttpAnswer['body']): body is AsyncIterable<Uint8Array> =>
  typeof body !== 'string' && !Buffer.isBuffer(body)

/** Must run corked: inside the transport's own callback or a `cork`. */
export function writeBuffered(response: HttpResponse, answer: HttpAnswer, headOnly: boolean, closeAfter = false): void {
  const body = answer.body as string | Buffer
  writeHead(response, answer)
  if (answer.status === 204 || answer.status === 304) {
    response.endWithoutBody()
    return
  }
  if (!headOnly) {
    response.end(body, closeAfter)
    return
  }
  endHead(response, answer.length ?? Buffer.byteLength(body))
}

/** The answer to HEAD when GET would be a stream. An unknown length is not reported as zero (RFC 9110, 8.6). Must run corked. */
export function writeStreamHead(response: HttpResponse, answer: HttpAnswer): void {
  writeHead(response, answer)
  endHead(response, answer.length)
}

function endHead(response: HttpResponse, length: number | undefined): void {
  // With the length as an argument the transport (20.0.8) never considers the answer complete; as a header it does.
  if (length !== undefined) response.writeHeader('content-length', String(length))
  response.endWithoutBody()
}

/**
 * The caller paused reading; it resumes with the last chunk. Chunks leave as they come; the next is requested when the peer took the last.
 * A failure before the first chunk is answered by `onEarlyFailure`, one after it closes the socket without the final chunk, so that no
 * client mistakes a part for the whole.
 */
export async function writeStream(
  response: HttpResponse,
  call: UwsCall,
  answer: HttpAnswer,
  onEarlyFailure: (error: unknown) => HttpAnswer,
): Promise<void> {
  const chunks = (answer.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  const gate = new Gate(response, call.signal)
  const { length } = answer
  let begun = false
  let sent = 0
  try {
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      if (call.aborted) break
      const { value } = next
      if (value.byteLength === 0) continue
      sent += value.byteLength
      // Exceeding the declared length makes the answer invalid.
      if (length !== undefined && sent > length) throw new Error('the stream is longer than its declared length')
      let taken = true
      response.cork(() => {
        if (!begun) writeHead(response, answer)
        if (length === undefined) taken = response.write(value)
      })
      begun = true
      if (length !== undefined) {
        // The answer is complete with its last byte.
        if (sent === length) response.resume()
        await writeCounted(response, call, gate, value, length)
      } else if (!taken) await gate.writable()
    }
    if (call.aborted) {
      await chunks.return?.()
      return
    }
    if (length !== undefined && length > 0) {
      if (sent < length) throw new Error('the stream is shorter than its declared length')
      return
    }
    response.resume()
    response.cork(() => {
      if (!begun) writeHead(response, answer)
      response.end()
    })
  } catch (error) {
    if (call.aborted) return
    if (begun) response.close()
    else {
      response.resume()
      response.cork(() => writeBuffered(response, onEarlyFailure(error), false))
    }
  }
}

/** The transport takes as much as it can: the rest is offered again when the peer has read. */
async function writeCounted(
  response: HttpResponse,
  call: UwsCall,
  gate: Gate,
  value: Uint8Array,
  length: number,
): Promise<void> {
  const from = response.getWriteOffset()
  for (let rest = value; rest.byteLength > 0 && !call.aborted; ) {
    let taken = true
    response.cork(() => {
      ;[taken] = response.tryEnd(rest, length)
    })
    if (taken) return
    await gate.writable()
    if (!call.aborted) rest = value.subarray(response.getWriteOffset() - from)
  }
}

/** Waits for the peer to read, or to disconnect. */
class Gate {
  private open: (() => void) | null = null

  constructor(response: HttpResponse, signal: AbortSignal) {
    response.onWritable(() => {
      this.pass()
      return true
    })
    signal.addEventListener('abort', () => this.pass(), { once: true })
  }

  writable(): Promise<void> {
    return new Promise((resolve) => {
      this.open = resolve
    })
  }

  private pass(): void {
    this.open?.()
    this.open = null
  }
}
