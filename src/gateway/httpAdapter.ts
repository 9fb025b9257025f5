// HTTP between the transport and the handler: bodies up to the cap, answers at once where the handler has them, aborts told.
import { randomUUID } from 'node:crypto'
import { bodyBytesMax, type HttpAnswer, type HttpHandler } from '#http/contract'
import { failureOf } from '#http/envelope'
import { Fault } from '#lib/fault'
import { isStream, writeStream, writeWhole } from './answer.ts'
import { UwsCall } from './call.ts'
import type { HttpRequest, HttpResponse } from './uws.ts'

/** A body over the cap is still read to here (and thrown away), so that the client reads its 413 instead of a reset. */
const discardBytesMax = 16 * 1024 * 1024

const methodsAllowed = 'GET, HEAD, POST, DELETE, OPTIONS'

export class HttpAdapter {
  private readonly handler: HttpHandler
  /** Calls whose answer is not complete. */
  private running = 0
  private whenIdle: (() => void) | null = null

  constructor(handler: HttpHandler) {
    this.handler = handler
  }

  readonly handle = (response: HttpResponse, request: HttpRequest): void => {
    const method = request.getCaseSensitiveMethod()
    if (method === 'OPTIONS') {
      response.writeStatus('204 No Content').writeHeader('allow', methodsAllowed).endWithoutBody()
      return
    }
    // A HEAD is a GET whose body stays here.
    const headOnly = method === 'HEAD'
    const call = new UwsCall(response, request, headOnly ? 'GET' : method)
    try {
      if (hasBody(request)) this.collect(response, call, request, headOnly)
      else this.answer(response, call, headOnly, false)
    } catch {
      // The transport ends the whole process when its callback returns unanswered: an answer that cannot be written ends one connection.
      if (!call.aborted) response.close()
    }
  }

  /** Resolves when every answer is out. */
  idle(): Promise<void> {
    if (this.running === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.whenIdle = resolve
    })
  }

  private answer(response: HttpResponse, call: UwsCall, headOnly: boolean, detached: boolean): void {
    const answer = this.ask(call)
    if (!(answer instanceof Promise) && !isStream(answer.body)) {
      if (detached) writeOrClose(response, answer, headOnly)
      else writeWhole(response, answer, headOnly)
      return
    }
    if (!detached) this.detach(response, call)
    this.running++
    void this.later(response, call, answer, headOnly).finally(() => {
      this.running--
      if (this.running > 0) return
      this.whenIdle?.()
      this.whenIdle = null
    })
  }

  private async later(
    response: HttpResponse,
    call: UwsCall,
    pending: HttpAnswer | Promise<HttpAnswer>,
    headOnly: boolean,
  ): Promise<void> {
    let answer: HttpAnswer
    try {
      answer = await pending
    } catch (error) {
      answer = failure(error)
    }
    if (isStream(answer.body)) {
      if (call.aborted) return endUnread(answer.body)
      if (!headOnly) return writeStream(response, call, answer, failure)
      await endUnread(answer.body)
      answer = { ...answer, body: '' }
    }
    if (!call.aborted) writeOrClose(response, answer, headOnly)
  }

  /** The contract says handlers never throw; if one does, its caller is still answered. */
  private ask(call: UwsCall): HttpAnswer | Promise<HttpAnswer> {
    try {
      return this.handler(call)
    } catch (error) {
      return failure(error)
    }
  }

  private detach(response: HttpResponse, call: UwsCall): void {
    call.detach()
    response.onAborted(() => call.abort())
  }

  private collect(response: HttpResponse, call: UwsCall, request: HttpRequest, headOnly: boolean): void {
    const declared = Number(request.getHeader('content-length'))
    this.detach(response, call)
    if (declared > discardBytesMax) {
      writeWhole(response, tooLarge(), headOnly, true)
      return
    }
    const chunks: Buffer[] = []
    let length = 0
    let answered = false
    response.onData((chunk, isLast) => {
      if (answered) return
      length += chunk.byteLength
      if (length <= bodyBytesMax) {
        // The transport takes the chunk back after this callback.
        chunks.push(Buffer.from(Buffer.from(chunk)))
        if (!isLast) return
        answered = true
        call.body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)
        this.answer(response, call, headOnly, true)
        return
      }
      chunks.length = 0
      if (!isLast && length <= discardBytesMax) return
      answered = true
      response.cork(() => writeWhole(response, tooLarge(), headOnly, !isLast))
    })
  }
}

const hasBody = (request: HttpRequest): boolean => {
  const length = request.getHeader('content-length')
  return (length !== '' && length !== '0') || request.getHeader('transfer-encoding') !== ''
}

/** Outside the transport's own callback. An answer that cannot be written ends its connection, nothing more. */
function writeOrClose(response: HttpResponse, answer: HttpAnswer, headOnly: boolean): void {
  response.cork(() => {
    try {
      writeWhole(response, answer, headOnly)
    } catch {
      response.close()
    }
  })
}

function failure(error: unknown): HttpAnswer {
  const requestId = randomUUID()
  return failureOf(error, requestId, { 'x-request-id': requestId })
}

const tooLarge = (): HttpAnswer =>
  failure(new Fault('VALIDATION_ERROR', `the body is larger than ${bodyBytesMax} bytes`, { status: 413 }))

/** A stream nobody will read still has its end told, so that what it holds is released. */
async function endUnread(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.()
}
