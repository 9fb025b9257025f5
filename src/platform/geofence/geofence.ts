// A caller's location, as far as a trusted source reports it: a header is trusted from the operator's own proxies only.
import ipaddr from 'ipaddr.js'
import { Fault } from '#core/fault'
import { isCountry } from './countries.ts'

/** An edge's value that names no single country: its header came twice, or is not a country code. Blocked wherever any country is. */
export const unreadableCountry = '??'

/** For use in a sentence. */
export const placeOf = (country: string | null): string =>
  country === null || country === unreadableCountry ? 'an unrecognized country' : country

export const blockedCountries = (country: string | null): Fault =>
  new Fault('GEO_BLOCKED', `this service is not offered in ${placeOf(country)}`)

/** `listed`: the blocked countries. */
export const isListed = (listed: Pick<ReadonlySet<string>, 'has' | 'size'>, country: string): boolean =>
  country === unreadableCountry ? listed.size > 0 : listed.has(country)

export interface GeofenceOptions {
  /** Lower-case name of the header in which the edge writes an ISO 3166-1 alpha-2 country. */
  countryHeader: string
  /** Addresses or CIDR ranges of the edge. */
  trustedProxies: readonly string[]
  /** Countries this deployment does not serve at all. */
  blockedCountries: readonly string[]
}

interface ForwardedCall {
  headers: Readonly<Record<string, string>>
  timesOf(header: string): number
  remoteAddress: string
}

export interface Geofence {
  /** Null: no trusted source reported it. `unreadableCountry`: one did, unreadably. */
  countryOf(call: ForwardedCall): string | null
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
      const times = call.timesOf(countryHeader)
      if (times === 0 || !trusts(call.remoteAddress)) return null
      const country = call.headers[countryHeader]?.trim().toUpperCase()
      return times === 1 && country !== undefined && isCountry(country) ? country : unreadableCountry
    },
    blocks: (country) => isListed(blocked, country),
  }
}

/** Throws for a text that is neither an address nor a range. */
export function rangeOf(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
