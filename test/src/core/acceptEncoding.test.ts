// The response encoding for a request's Accept-Encoding.
import { expect, it } from 'vitest'
import { acceptedEncoding } from '#core/acceptEncoding'

it.each([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['br, deflate', null],
  ['gzip', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['GZIP;Q=0.5', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, zstd', 'zstd'],
  ['gzip, zstd;q=0.9', 'gzip'],
  ['zstd;q=0, gzip', 'gzip'],
  ['*', 'zstd'],
  ['*;q=0', null],
  ['gzip;q=0.2, identity;q=0.8', null],
  ['gzip;q=2', null],
  ['gzip;q=, zstd;q=x', null],
  ['gzip;q=2, *', 'zstd'],
  ['identity;q=0', null],
  ['identity;q=0, *', 'zstd'],
  ['identity, gzip', 'gzip'],
  ['x-gzip;q=0.5, zstd;q=0.4', 'gzip'],
  ['x-gzipped', null],
  ['br;q=1.0, gzip;q=0.8, *;q=0.1', 'gzip'],
])('%s gives %s', (header, coding) => {
  expect(acceptedEncoding(header, ['zstd', 'gzip'])).toBe(coding)
})
