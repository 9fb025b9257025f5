// HTTP between the transport and the handler: bodies up to the cap, answers synchronously when the handler has them, aborts forwarded.
//
// Requests on one connection are answered in order. While an answer is pending nothing more is read from its connection. But the
// transport cannot defer what it has already read: a second request in the same read closes the connection. To report every
// effect, a request that may have one is started only after the read that contained it is processed.
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { Fault } from '#core/fault'
import {
  type HttpAnswer,
  type HttpHandler,
  type RouteTraits,
  bodyBytesMax as smallBodyBytesMax,
  type TraitsOf,
} from '#server/http/contract'
import { failureOf } from '#server/http/errorBody'
import { UwsCall } from './request.ts'
import { hasAmbiguousLength } from './requestSmuggling.ts'
import type { HttpRequest, HttpResponse } from './uws.ts'
import { isStream, writeBuffered, writeStream, writeStreamHead } from './writeResponse.ts'

/**
 * A body over the cap is still read up to here (and discarded), so that the client reads its 413 instead of a reset.
 */
const discardBytesMax = 16 * 1024 * 1024

/** Bodies above the common limit held at once: some tens of megabytes, over all senders. */
const largeBodiesMax = 32

export class HttpAdapter {
  private readonly handler: HttpHandler
  private readonly traitsOf: TraitsOf
  /** Calls with incomplete answers. */
  private running = 0
  private largeBodies = 0
  private whenIdle: (() => void) | null = null

  constructor(handler: HttpHandler, traitsOf: TraitsOf) {
    this.handler = handler
    this.traitsOf = traitsOf
  }

  readonly handle = (response: HttpResponse, request: HttpRequest): void => {
    const method = request.getCaseSensitiveMethod()
    // A HEAD is a GET without sending the body.
    const headOnly = method === 'HEAD'
    const call = new UwsCall(response, request, headOnly ? 'GET' : method)
    try {
      const wrong = hasAmbiguousLength(request)
      if (wrong !== null) this.refuse(response, call, unclear(wrong), headOnly)
      else if (hasBody(request)) this.collect(response, call, request, headOnly)
      else this.answer(response, call, headOnly, false, this.begin(call))
    } catch {
      // The transport terminates the process when its callback returns unanswered: an unwritable answer ends only its connection.
      if (!call.aborted) response.close()
    }
  }

  /** Resolves when every answer has been sent. */
  idle(): Promise<void> {
    if (this.running === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.whenIdle = resolve
    })
  }

  private answer(
    response: HttpResponse,
    call: UwsCall,
    headOnly: boolean,
    detached: boolean,
    answer: HttpAnswer | Promise<HttpAnswer>,
  ): void {
    if (!(answer instanceof Promise) && !isStream(answer.body)) {
      if (detached) writeOrClose(response, answer, headOnly)
      else writeBuffered(response, answer, headOnly)
      return
    }
    if (!detached) this.detach(response, call)
    response.pause()
    this.run(this.later(response, call, answer, headOnly))
  }

  private run(work: Promise<void>): void {
    this.running++
    void work.finally(() => {
      this.running--
      if (this.running > 0) return
      this.whenIdle?.()
      this.whenIdle = null
    })
  }

  /**
   * Answers and closes. If answered synchronously, the transport would parse what came with the head as another request; while no answer
   * is pending it closes the connection instead.
   */
  private refuse(response: HttpResponse, call: UwsCall, answer: HttpAnswer, headOnly: boolean): void {
    this.detach(response, call)
    response.pause()
    const later = async (): Promise<void> => {
      await setImmediate()
      if (call.aborted) return
      response.resume()
      response.cork(() => writeBuffered(response, answer, headOnly, true))
    }
    this.run(later())
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
      const { 'x-request-id': requestId } = answer.headers
      // The failure was logged under the id of the request.
      if (!headOnly) return writeStream(response, call, answer, (error) => failure(error, requestId))
      await endUnread(answer.body)
      // A stream that was never read does not learn of its end; its source must.
      call.letGo()
    }
    if (call.aborted) return
    response.resume()
    if (isStream(answer.body)) corkedOrClosed(response, () => writeStreamHead(response, answer))
    else writeOrClose(response, answer, headOnly)
  }

  private begin(call: UwsCall, traits: RouteTraits | null = null): HttpAnswer | Promise<HttpAnswer> {
    if (call.method === 'GET' || call.method === 'OPTIONS') return this.ask(call)
    const { hasEffect } = traits ?? this.traitsOf(call.method, call.path)
    return hasEffect ? this.askWhenRead(call) : this.ask(call)
  }

  private async askWhenRead(call: UwsCall): Promise<HttpAnswer> {
    await setImmediate()
    return call.aborted ? unheard : this.ask(call)
  }

  /** By contract handlers never throw; if one does, its caller still gets an answer. */
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
    const traits = this.traitsOf(call.method, call.path)
    const { bodyBytesMax } = traits
    this.detach(response, call)
    if (declared > discardBytesMax) {
      writeBuffered(response, tooLarge(bodyBytesMax), headOnly, true)
      return
    }
    const chunks: Buffer[] = []
    let length = 0
    let answered = false
    let isLarge = false
    const release = (): void => {
      if (isLarge) this.largeBodies--
      isLarge = false
    }
    response.onData((chunk, isLast) => {
      if (answered) return
      length += chunk.byteLength
      if (!isLarge && length > smallBodyBytesMax && length <= bodyBytesMax) {
        if (this.largeBodies >= largeBodiesMax) {
          answered = true
          response.cork(() => writeBuffered(response, busy(), headOnly, true))
          return
        }
        isLarge = true
        this.largeBodies++
        call.signal.addEventListener('abort', release, { once: true })
      }
      if (length <= bodyBytesMax) {
        // The transport reclaims the chunk after this callback.
        chunks.push(Buffer.from(Buffer.from(chunk)))
        if (!isLast) return
        answered = true
        call.body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)
        release()
        this.answer(response, call, headOnly, true, this.begin(call, traits))
        return
      }
      chunks.length = 0
      release()
      if (!isLast && length <= discardBytesMax) return
      answered = true
      response.cork(() => writeBuffered(response, tooLarge(bodyBytesMax), headOnly, !isLast))
    })
  }
}

const hasBody = (request: HttpRequest): boolean => {
  const length = request.getHeader('content-length')
  return (length !== '' && length !== '0') || request.getHeader('transfer-encoding') !== ''
}

/** Outside the transport's own callback. An unwritable answer ends its connection, nothing more. */
const writeOrClose = (response: HttpResponse, answer: HttpAnswer, headOnly: boolean): void =>
  corkedOrClosed(response, () => writeBuffered(response, answer, headOnly))

function corkedOrClosed(response: HttpResponse, write: () => void): void {
  response.cork(() => {
    try {
      write()
    } catch {
      response.close()
    }
  })
}

function failure(error: unknown, requestId: string = randomUUID()): HttpAnswer {
  return failureOf(error, requestId, { 'x-request-id': requestId })
}

/** For a call whose client is gone: it has no reader. */
const unheard: HttpAnswer = { status: 499, headers: {}, body: '' }

const unclear = (why: string): HttpAnswer => failure(new Fault('BAD_REQUEST', why))

const busy = (): HttpAnswer =>
  failure(new Fault('PLATFORM_UNAVAILABLE', 'too many large bodies at once', { retryAfterSeconds: 1 }))

const tooLarge = (bodyBytesMax: number): HttpAnswer =>
  failure(new Fault('VALIDATION_ERROR', `the body is larger than ${bodyBytesMax} bytes`, { status: 413 }))

/** A stream without a reader is still closed, so that it releases what it holds. */
async function endUnread(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.()
}
