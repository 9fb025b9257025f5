// One text per JSON value, and hashes of it.
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** RFC 8785. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new Error('a value is no JSON')
  return text
}

/** Of everything that defines a request. */
export const hashOf = (...parts: unknown[]): Buffer => sha256(canonicalJson(parts))
