import { describe, expect, it } from 'vitest'
import { createGeofence, unreadableCountry } from '#platform/geofence/geofence'

const geofence = createGeofence({
  countryHeader: 'x-country',
  trustedProxies: ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'],
  blockedCountries: ['KP'],
})
const from = (remoteAddress: string, country?: string, times = country === undefined ? 0 : 1) =>
  geofence.countryOf({
    headers: country === undefined ? {} : { 'x-country': country },
    timesOf: () => times,
    remoteAddress,
  })

describe('the geofence', () => {
  it.each([
    ['10.1.2.3', 'IPv4 range'],
    ['192.0.2.7', 'one address'],
    ['::ffff:10.1.2.3', 'IPv4 over an IPv6 socket'],
    ['2001:db8::9', 'IPv6 range'],
    ['2001:0db8:0000:0000:0000:0000:0000:0009', 'IPv6 written out'],
  ])('trusts the header from %s (%s)', (address) => {
    expect(from(address, 'de')).toBe('DE')
  })

  it.each(['192.0.2.8', '11.0.0.1', '2001:db9::1', '::ffff:11.0.0.1', '', 'unknown'])(
    'does not trust it from %s',
    (address) => {
      expect(from(address, 'DE')).toBeNull()
    },
  )

  it('knows no country without the header', () => {
    expect(from('10.0.0.1')).toBeNull()
  })

  it.each(['', ' ', 'DEU', '1X', 'T1', 'D', 'DE, US', 'xx-yy', 'ДЕ', 'XX', 'zz', 'EU', 'UK', 'A1'])(
    'cannot read %s: the header is present',
    (country) => {
      expect(from('10.0.0.1', country)).toBe(unreadableCountry)
      expect(from('11.0.0.1', country)).toBeNull()
    },
  )

  it('reads the codes of countries', () => {
    expect(['US', 'gb', 'KP', 'XK'].map((country) => from('10.0.0.1', country))).toEqual(['US', 'GB', 'KP', 'XK'])
  })

  it('cannot read a repeated header, nor one that is present but unreadable', () => {
    expect(from('10.0.0.1', 'DE', 2)).toBe(unreadableCountry)
    expect(from('10.0.0.1', undefined, 1)).toBe(unreadableCountry)
  })

  it('blocks listed countries only; an unreadable one wherever any is listed', () => {
    expect(['KP', 'DE', unreadableCountry].map((country) => geofence.blocks(country))).toEqual([true, false, true])
    const open = createGeofence({ countryHeader: 'x', trustedProxies: [], blockedCountries: [] })
    expect(open.blocks(unreadableCountry)).toBe(false)
  })

  it('refuses an invalid range', () => {
    expect(() =>
      createGeofence({ countryHeader: 'x', trustedProxies: ['10.0.0.0/99'], blockedCountries: [] }),
    ).toThrow()
  })
})
