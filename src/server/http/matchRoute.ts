// Finds the routes of a path. A tree of segments; a literal segment wins over a parameter.
import { decodePercent } from './query.ts'

interface Node<T> {
  literals: Map<string, Node<T>>
  parameter: { name: string; node: Node<T> } | null
  here: T[]
}

export interface PathMatch<T> {
  /** Every route at this path, whatever its method. */
  found: readonly T[]
  params: Readonly<Record<string, string>>
}

const newNode = <T>(): Node<T> => ({ literals: new Map(), parameter: null, here: [] })

/** Hot paths are few; if there are too many, the cache starts over. */
const cachedMax = 4_096
const cachedCharsMax = 128

export class PathTree<T> {
  private readonly root: Node<T> = newNode()
  private readonly cached = new Map<string, PathMatch<T>>()
  private readonly common: ReadonlySet<string>

  /**
   * `common`: parameters with few values. A path with any other parameter is not cached: it may contain what only its sender should know.
   */
  constructor(common: readonly string[] = []) {
    this.common = new Set(common)
  }

  get cachedPaths(): number {
    return this.cached.size
  }

  add(template: string, value: T): void {
    let node = this.root
    for (const segment of segmentsOf(template)) {
      if (segment.startsWith('{')) {
        const name = segment.slice(1, -1)
        if (node.parameter !== null && node.parameter.name !== name) {
          throw new Error(`${template}: this segment is already called {${node.parameter.name}}`)
        }
        node.parameter ??= { name, node: newNode() }
        node = node.parameter.node
      } else {
        const next: Node<T> = node.literals.get(segment) ?? newNode()
        node.literals.set(segment, next)
        node = next
      }
    }
    node.here.push(value)
  }

  /** Null when no template matches. Throws Fault VALIDATION_ERROR for a malformed escape in a parameter. */
  match(path: string): PathMatch<T> | null {
    const before = this.cached.get(path)
    if (before !== undefined) return before
    const match = this.find(path)
    if (match === null || path.length > cachedCharsMax) return match
    if (!Object.keys(match.params).every((name) => this.common.has(name))) return match
    if (this.cached.size === cachedMax) this.cached.clear()
    this.cached.set(path, match)
    return match
  }

  private find(path: string): PathMatch<T> | null {
    const captured: [string, string][] = []
    const node = this.descend(this.root, segmentsOf(path), 0, captured)
    if (node === null) return null
    const params: Record<string, string> = {}
    for (const [name, text] of captured) params[name] = decodePercent(text)
    return { found: node.here, params: Object.freeze(params) }
  }

  private descend(node: Node<T>, segments: string[], at: number, captured: [string, string][]): Node<T> | null {
    if (at === segments.length) return node.here.length > 0 ? node : null
    const segment = segments[at]!
    const literal = node.literals.get(segment)
    if (literal !== undefined) {
      const found = this.descend(literal, segments, at + 1, captured)
      if (found !== null) return found
    }
    if (node.parameter === null || segment === '') return null
    captured.push([node.parameter.name, segment])
    const found = this.descend(node.parameter.node, segments, at + 1, captured)
    if (found === null) captured.pop()
    return found
  }
}

function segmentsOf(path: string): string[] {
  const trimmed = path.startsWith('/') ? path.slice(1) : path
  return trimmed === '' ? [] : trimmed.split('/')
}
