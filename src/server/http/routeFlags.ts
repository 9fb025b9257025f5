// What the gateway asks about a route before it has read the body.
import { bodyBytesMax, type RouteTraits, type TraitsOf } from './contract.ts'
import type { Route } from './defineRoute.ts'
import { PathTree } from './matchRoute.ts'

const unknown: RouteTraits = { bodyBytesMax, hasEffect: true }

export function createTraitsOf(routes: readonly Route<never>[]): TraitsOf {
  const tree = new PathTree<{ methods: readonly string[]; traits: RouteTraits }>(['exchange'])
  for (const { path, methods, bodyBytesMax } of routes) {
    // A path that also supports GET changes nothing.
    const traits = { bodyBytesMax, hasEffect: !methods.includes('get') }
    tree.add(path, { methods: methods.map((method) => method.toUpperCase()), traits })
  }
  return (method, path) => {
    try {
      return tree.match(path)?.found.find(({ methods }) => methods.includes(method))?.traits ?? unknown
    } catch {
      // A malformed escape: the handler reports it.
      return unknown
    }
  }
}
