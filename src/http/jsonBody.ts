// Reads a request body that may want to hurt: bombs, polluting keys, numbers no double holds. Everything refused here is a 400, never a 500.
import { Fault } from '#lib/fault'

/** Deeper JSON parses, but then stringify and structuredClone overflow the stack. */
export const jsonDepthMax = 64
/** Keys of one object. Users send rows of a few dozen. */
export const jsonKeysPerObjectMax = 1_000
/** Digits of one number outside strings; a double holds 17. */
export const jsonNumberCharsMax = 40

/** Own properties that turn into prototypes when somebody copies the object key by key. */
const pollutingKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const refuse = (message: string): never => {
  throw new Fault('VALIDATION_ERROR', message)
}

/** The body as a value; undefined when it is empty. Throws Fault VALIDATION_ERROR. */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) return undefined
  const pairs = scanShape(body)
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(body))
  } catch {
    return refuse('the body is not valid JSON')
  }
  const tally = { keys: 0 }
  walk(value, tally)
  // Every `key:` of the text that is no key of the value was overwritten by a later one.
  if (tally.keys !== pairs) refuse('the body names a key twice')
  return value
}

/** One pass before the parser: depth and number lengths. Returns how many `key:` pairs the text has. */
function scanShape(body: Buffer): number {
  let depth = 0
  let pairs = 0
  let digits = 0
  let inString = false
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]!
    if (inString) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) inString = false
      continue
    }
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits > jsonNumberCharsMax) refuse(`a number in the body has more than ${jsonNumberCharsMax} digits`)
      continue
    }
    // A sign, dot or exponent continues the number it stands in.
    if (byte === 0x2e || byte === 0x2d || byte === 0x2b || byte === 0x65 || byte === 0x45) continue
    digits = 0
    if (byte === QUOTE) inString = true
    else if (byte === COLON) pairs++
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > jsonDepthMax) refuse(`the body is nested deeper than ${jsonDepthMax} levels`)
    } else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return pairs
}

function walk(value: unknown, tally: { keys: number }): void {
  if (typeof value === 'string') {
    checkText(value)
    return
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse('a number in the body is out of range')
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) walk(item, tally)
    return
  }
  const keys = Object.keys(value)
  if (keys.length > jsonKeysPerObjectMax) refuse(`an object in the body has more than ${jsonKeysPerObjectMax} keys`)
  tally.keys += keys.length
  for (const key of keys) {
    if (pollutingKeys.has(key)) refuse(`the key "${key}" is not allowed`)
    checkText(key)
    walk((value as Record<string, unknown>)[key], tally)
  }
}

/** A NUL or half a surrogate pair is no text any store can keep. */
export function checkText(text: string): void {
  if (!text.isWellFormed() || text.includes('\u0000')) refuse('a text holds a lone surrogate or a NUL character')
}

export const isPolluting = (key: string): boolean => pollutingKeys.has(key)
