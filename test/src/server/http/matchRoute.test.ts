import { expect, it } from 'vitest'
import { PathTree } from '#server/http/matchRoute'

const tree = new PathTree<string>(['exchange'])
for (const template of [
  '/',
  '/health',
  '/api/{exchange}/has',
  '/api/feeds/{feed}/{verb}',
  '/v1/things/{id}',
  '/v1/things/{id}/parts',
])
  tree.add(template, template)

it.each([
  ['/', '/', {}],
  ['/health', '/health', {}],
  ['/api/kalshi/has', '/api/{exchange}/has', { exchange: 'kalshi' }],
  // A literal segment wins, and is abandoned when it leads nowhere.
  ['/api/feeds/binance/fetchTicker', '/api/feeds/{feed}/{verb}', { feed: 'binance', verb: 'fetchTicker' }],
  ['/api/feeds/has', '/api/{exchange}/has', { exchange: 'feeds' }],
  ['/v1/things/a%2Fb%20+', '/v1/things/{id}', { id: 'a/b +' }],
])('%s matches %s', (path, template, params) => {
  // Twice: the second result comes from the cache.
  for (let i = 0; i < 2; i++) expect(tree.match(path)).toEqual({ found: [template], params })
})

it.each([
  '/healthy',
  '/health/',
  '/api',
  '/api//has',
  '/v1/things',
  '/v1/things/',
  '/v1/things/a/b',
  ''.padEnd(5, 'x'),
])('%s matches no route', (path) => {
  expect(tree.match(path)).toBeNull()
})

it('rejects a malformed escape instead of crashing', () => {
  for (const path of ['/v1/things/%', '/v1/things/%ff', '/v1/things/%00']) {
    expect(() => tree.match(path)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }))
  }
})

it('allows one name per segment', () => {
  expect(() => tree.add('/v1/things/{other}', 'x')).toThrow('already called {id}')
})

it('bounds the path cache, and does not cache paths with an id', () => {
  const before = tree.cachedPaths
  for (let i = 0; i < 10_000; i++) expect(tree.match(`/v1/things/${i}`)!.params).toEqual({ id: String(i) })
  expect(tree.cachedPaths).toBe(before)
  for (let i = 0; i < 10_000; i++) expect(tree.match(`/api/x${i}/has`)!.params).toEqual({ exchange: `x${i}` })
  expect(tree.cachedPaths).toBeLessThanOrEqual(4_096)
})
