// Removes what must not be in a capture: credentials in any encoding, and the operator's own addresses, which may have keys in them.
import { Secret } from '#core/secret'
import { nodeUrls } from '#net/rpc'
import { redactBody, redactor } from '#venues/shared/redact'
import type { Payload } from './lines.ts'

/** Parameters of an address that authenticate its sender. */
const secretParameter = /([?&](?:api[_-]?key|key|token|access[_-]?token|secret|sig|signature|auth|password)=)[^&#]*/gi
const userInfo = /^([a-z]+:\/\/)[^/@]*@/i
/** Keys of providers are long, and in the path or the query. */
const keyMin = 16

type Urls = Readonly<Record<string, string>>

interface Base {
  base: string
  /** In the venue's manifest. */
  key: string
  /** In a capture. */
  name: string
}

export interface CleanerOptions {
  /** The base addresses in use, by name. */
  urls: Urls
  /** The venue's own, which are no secret. */
  ownUrls: Urls
  credentials: Urls | null
}

export class Cleaner {
  /** Longest first. */
  private readonly bases: readonly Base[]
  private readonly secrets: Secret[] = []
  private readonly clean: { text(text: string): string } = { text: (text) => text }

  constructor({ urls, ownUrls, credentials }: CleanerOptions) {
    this.bases = Object.entries(urls)
      .flatMap(([key, list]) =>
        nodeUrls(list).map((base, i) => ({ base, key, name: i === 0 ? `$${key}` : `$${key}.${i}` })),
      )
      .sort((one, other) => other.base.length - one.base.length)
    const own = new Set(Object.values(ownUrls))
    for (const value of Object.values(credentials ?? {})) this.hide(value)
    for (const { base } of this.bases) if (!own.has(base)) for (const part of secretParts(base)) this.hide(part)
  }

  /**
   * The addresses by name, as a replay needs them: each is a name of its own, or lies below another one (`$REST`, `$REST/clob`).
   */
  names(): Record<string, string[]> {
    const found: Record<string, string[]> = {}
    for (const { base, key } of this.bases) {
      // The last one is the shortest, perhaps itself.
      const root = this.bases.findLast((other) => base.startsWith(other.base))!
      found[key] = [...(found[key] ?? []), this.text(root.name + base.slice(root.base.length))]
    }
    return found
  }

  /** From now on. */
  hide(secret: string): void {
    this.secrets.push(new Secret(secret))
    this.clean.text = redactor(this.secrets)
  }

  /** Its base address by name (`$REST/markets`), and without secrets. */
  url(url: string): string {
    const found = this.bases.find(({ base }) => url.startsWith(base))
    const named = found === undefined ? url.replace(userInfo, '$1') : found.name + url.slice(found.base.length)
    return this.text(named.replace(secretParameter, '$1[secret]'))
  }

  text(text: string): string {
    return this.clean.text(text)
  }

  payload(payload: Payload): Payload {
    if (this.secrets.length === 0) return payload
    if ('text' in payload) return { text: this.text(payload.text) }
    const clean = this.text(Buffer.from(payload.base64, 'base64').toString('latin1'))
    return { base64: Buffer.from(clean, 'latin1').toString('base64') }
  }

  body(body: unknown): unknown {
    return this.secrets.length === 0 ? body : redactBody(body, this.secrets)
  }
}

/** Parts of a base address that may be keys. */
export function secretParts(base: string): string[] {
  const url = URL.parse(base)
  if (url === null) return []
  const long = [...url.pathname.split('/'), ...url.searchParams.values()].filter((part) => part.length >= keyMin)
  return [...[url.username, url.password].map(decodeURIComponent), ...long].filter((part) => part !== '')
}

/** Addresses for a replay, which nothing can reach, in the places of those that `names` describes. */
export const unreachableUrls = (names: Readonly<Record<string, readonly string[]>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(names).map(([key, list]) => [
      key,
      list
        .map((text) =>
          text.replace(/^\$(\w+)(?:\.(\d+))?/, (_, name: string, i = '0') => {
            const host = name.toLowerCase().replaceAll('_', '-')
            return `https://${host}-${i}.capture.invalid`
          }),
        )
        .join(','),
    ]),
  )
