// One HTTP call as handlers see it. Headers, address and abort signal are created lazily: a cached read asks for one header.
import type { HttpCall } from '#server/http/contract'
import type { HttpRequest, HttpResponse } from './uws.ts'

const emptyBody = Buffer.alloc(0)

export class UwsCall implements HttpCall {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  body: Buffer = emptyBody
  /** The transport aborted; nothing may be written any more. */
  aborted = false
  private readonly response: HttpResponse
  private readonly source: HeaderSource
  private address: string | null = null
  private controller: AbortController | null = null

  constructor(response: HttpResponse, request: HttpRequest, method: string) {
    this.method = method
    this.path = request.getUrl()
    this.query = request.getQuery() ?? ''
    this.response = response
    this.source = new HeaderSource(request)
    this.headers = new Proxy<Record<string, string>>({}, this.source)
  }

  timesOf(header: string): number {
    return this.source.timesOf(header)
  }

  get remoteAddress(): string {
    this.address ??= this.aborted ? '' : Buffer.from(this.response.getRemoteAddressAsText()).toString('latin1')
    return this.address
  }

  get signal(): AbortSignal {
    if (this.controller === null) {
      this.controller = new AbortController()
      if (this.aborted) this.controller.abort()
    }
    return this.controller.signal
  }

  /** The transport's request is only valid during its callback: copy now what may be needed later. */
  detach(): void {
    this.source.detach()
    void this.remoteAddress
  }

  abort(): void {
    this.aborted = true
    this.letGo()
  }

  /** There is no reader any more; the answer may still be written. */
  letGo(): void {
    this.controller?.abort()
  }
}

/**
 * Reads single headers from the transport while its request is valid, and from a copy after that. For a repeated header the first counts.
 */
class HeaderSource implements ProxyHandler<Record<string, string>> {
  private request: HttpRequest | null
  private copy: Record<string, string> | null = null
  /** Alongside the copy: what it cannot express, names that came empty or more than once. */
  private readonly odd = new Map<string, number>()

  constructor(request: HttpRequest) {
    this.request = request
  }

  detach(): void {
    this.all()
    this.request = null
  }

  timesOf(name: string): number {
    if (this.copy === null && this.request !== null) {
      let times = 0
      this.request.forEach((each) => {
        if (each === name) times++
      })
      return times
    }
    return this.odd.get(name) ?? (this.all()[name] === undefined ? 0 : 1)
  }

  get(_target: Record<string, string>, name: string | symbol): string | undefined {
    if (typeof name !== 'string') return undefined
    if (this.copy !== null) return this.copy[name]
    const value = this.request?.getHeader(name)
    return value === undefined || value === '' ? undefined : value
  }

  has(target: Record<string, string>, name: string | symbol): boolean {
    return this.get(target, name) !== undefined
  }

  ownKeys(): string[] {
    return Object.keys(this.all())
  }

  getOwnPropertyDescriptor(_target: Record<string, string>, name: string | symbol): PropertyDescriptor | undefined {
    const value = typeof name === 'string' ? this.all()[name] : undefined
    return value === undefined ? undefined : { value, enumerable: true, configurable: true, writable: false }
  }

  private all(): Record<string, string> {
    if (this.copy !== null) return this.copy
    // No prototype: a client may name a header `__proto__` or `constructor`.
    const copy: Record<string, string> = Object.create(null)
    this.request?.forEach((name, value) => {
      const isOdd = value === '' || copy[name] !== undefined || this.odd.has(name)
      if (isOdd) this.odd.set(name, (this.odd.get(name) ?? (copy[name] === undefined ? 0 : 1)) + 1)
      if (value !== '') copy[name] ??= value
    })
    this.copy = copy
    return copy
  }
}
