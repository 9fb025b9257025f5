// Which addresses are public. An allowlist: anything not plainly a public unicast address is refused, so an overlooked range is closed, not
// open.
import ipaddr from 'ipaddr.js'

/** Everything allocated as global unicast (RFC 4291, 2.4). Mapped, compatible and translated forms of IPv4 lie outside. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** `address` as the resolver or the URL parser wrote it: dotted decimal, or IPv6 without brackets. */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).range() === 'unicast'
  if (!ipaddr.IPv6.isValid(address) || address.includes('%')) return false
  const parsed = ipaddr.IPv6.parse(address)
  return parsed.match(globalUnicast) && parsed.range() === 'unicast' && !isIsatap(parsed)
}

/** ISATAP (RFC 5214) hides an IPv4 address behind any prefix, and tunnels lead there. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x0200) && parts[5] === 0x5efe
}
