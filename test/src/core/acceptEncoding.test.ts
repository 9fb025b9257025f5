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
])('%s gives %s', (header, coding) => {
  expect(acceptedEncoding(header, ['zstd', 'gzip'])).toBe(coding)
})
