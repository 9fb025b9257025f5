// What an endpoint's URL may contain, checked by its text alone. The address its name resolves to is checked by the guard.
import ipaddr from 'ipaddr.js'

export const urlLengthMax = 2_048
const httpsPort = 443
/** Ports below are for other services; webhooks are not served from them. */
const unprivilegedPort = 1_024

/** Names that never lead to the public internet, whatever a local resolver returns. */
const privateSuffixes = ['localhost', 'local', 'internal', 'home.arpa', 'onion']

export interface Target {
  url: URL
  /** The address, if the host is one. */
  literal: string | null
  /** Named by the operator: allowed to go anywhere. */
  allowed: boolean
}

/** Why a URL or an address is not dialled. The message is for the caller who registered it. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Refusal'
  }
}

/** The platform's URL parser interprets the text, so that what is checked here is what is dialled later. */
export function readTarget(text: string, allowed: ReadonlySet<string>): Target {
  if (text.length > urlLengthMax) throw new Refusal(`is longer than ${urlLengthMax} characters`)
  // The parser silently drops or converts these; a reader of the text would see a different address than the one
  // dialled.
  if (/[\s\\\p{Cc}]/u.test(text)) throw new Refusal('has spaces, backslashes or control characters')
  // Not `URL.canParse`: once Node 22 has compiled it, it refuses names with an umlaut.
  const url = URL.parse(text)
  if (url === null) throw new Refusal('is not a URL')
  if (url.username !== '' || url.password !== '') throw new Refusal('carries a user name or a password')
  if (url.hash !== '') throw new Refusal('has a fragment, which is never sent')
  url.hash = ''
  const literal = literalOf(url.hostname)
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : httpsPort) : Number(url.port)
  if (/^https?:$/.test(url.protocol) && allowed.has(`${url.hostname}:${port}`)) return { url, literal, allowed: true }
  if (url.protocol !== 'https:') throw new Refusal('is not https')
  if (port !== httpsPort && port < unprivilegedPort) {
    throw new Refusal(`names port ${port}: only ${httpsPort} and ports from ${unprivilegedPort} on are dialled`)
  }
  if (literal === null) refusePrivateName(url.hostname)
  return { url, literal, allowed: false }
}

/** The parser has already rewritten every short, octal, hexadecimal or decimal form of IPv4 as dotted decimal. */
function literalOf(hostname: string): string | null {
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return ipaddr.IPv4.isValidFourPartDecimal(hostname) ? hostname : null
}

function refusePrivateName(hostname: string): void {
  if (hostname.endsWith('.')) throw new Refusal('has a host that ends in a dot')
  const isPrivate = privateSuffixes.some((suffix) => hostname === suffix || hostname.endsWith(`.${suffix}`))
  if (isPrivate || !hostname.includes('.')) throw new Refusal('has a host that is not on the public internet')
}
