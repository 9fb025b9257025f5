// Where a caller is, as far as somebody we trust says so: a header is believed from the operator's own proxies only.
import ipaddr from 'ipaddr.js'

export interface GeofenceOptions {
  /** Lower-case name of the header in which the edge writes an ISO 3166-1 alpha-2 country. */
  countryHeader: string
  /** Addresses or CIDR ranges of the edge. */
  trustedProxies: readonly string[]
  /** Countries this deployment does not serve at all. */
  blockedCountries: readonly string[]
}

export interface Geofence {
  /** Null: nobody we trust said. */
  countryOf(call: { headers: Readonly<Record<string, string>>; remoteAddress: string }): string | null
  blocks(country: string): boolean
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

export function createGeofence({ countryHeader, trustedProxies, blockedCountries }: GeofenceOptions): Geofence {
  const ranges = trustedProxies.map(rangeOf)
  const blocked = new Set(blockedCountries)
  const trusts = (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false
    // An IPv4 address that came in over an IPv6 socket is the IPv4 address.
    const parsed = ipaddr.process(address)
    return ranges.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits))
  }
  return {
    countryOf(call) {
      const country = call.headers[countryHeader]?.trim().toUpperCase()
      if (country === undefined || !/^[A-Z]{2}$/.test(country)) return null
      return trusts(call.remoteAddress) ? country : null
    },
    blocks: (country) => blocked.has(country),
  }
}

/** Throws for a text that is neither an address nor a range. */
export function rangeOf(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
