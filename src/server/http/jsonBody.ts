// Parses possibly hostile request bodies: bombs, polluting keys, numbers no double holds. Everything refused here is a 400, never a 500.
import { setImmediate } from 'node:timers/promises'
import { Fault } from '#core/fault'

/** Deeper JSON parses, but then stringify and structuredClone overflow the stack. */
export const jsonDepthMax = 64
/** Keys per object. Real rows have a few dozen. */
export const jsonKeysPerObjectMax = 1_000
/** Values per body. Two megabytes of real rows have half as many. */
export const jsonValuesMax = 200_000
/** Digits of one number outside strings; a double holds 17. */
export const jsonNumberCharsMax = 40

/** Own properties that become prototypes when the object is copied key by key. */
const pollutingKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const refuse = (message: string): never => {
  throw new Fault('VALIDATION_ERROR', message)
}

/** Bytes scanned, and values walked, before yielding to other work. */
const bytesPerTurn = 256 * 1024
const valuesPerTurn = 20_000

/** The body as a value; undefined when it is empty. Throws Fault VALIDATION_ERROR. */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) return undefined
  const shape = new Shape()
  shape.scan(body, body.length)
  const value = parsed(body)
  const check = new Check(value)
  check.walk(Number.POSITIVE_INFINITY)
  check.end(shape)
  return value
}

/** The same for bodies that would block the loop if parsed in one go. */
export async function parseLargeJsonBody(body: Buffer): Promise<unknown> {
  const shape = new Shape()
  for (let end = 0; end < body.length; ) {
    end = Math.min(body.length, end + bytesPerTurn)
    shape.scan(body, end)
    await setImmediate()
  }
  const value = parsed(body)
  const check = new Check(value)
  do await setImmediate()
  while (check.walk(valuesPerTurn))
  check.end(shape)
  return value
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(body))
  } catch {
    return refuse('the body is not valid JSON')
  }
}

/** One pass before the parser: depth, number lengths and total size. */
class Shape {
  /** `key:` pairs of the text. */
  pairs = 0
  private values = 0
  private depth = 0
  private digits = 0
  private inString = false
  private at = 0

  scan(body: Buffer, end: number): void {
    let { at, digits, inString } = this
    for (; at < end; at++) {
      const byte = body[at]!
      if (inString) {
        if (byte === BACKSLASH) at++
        else if (byte === QUOTE) inString = false
        continue
      }
      if (byte >= 0x30 && byte <= 0x39) {
        if (++digits > jsonNumberCharsMax) refuse(`a number in the body has more than ${jsonNumberCharsMax} digits`)
        continue
      }
      // A sign, dot or exponent continues the number it is in.
      if (byte === 0x2e || byte === 0x2d || byte === 0x2b || byte === 0x65 || byte === 0x45) continue
      digits = 0
      if (byte === QUOTE) inString = true
      else if (byte === COLON) this.pairs++
      else if (byte === COMMA) this.count()
      else if (byte === 0x7b || byte === 0x5b) {
        this.count()
        if (++this.depth > jsonDepthMax) refuse(`the body is nested deeper than ${jsonDepthMax} levels`)
      } else if (byte === 0x7d || byte === 0x5d) this.depth--
    }
    this.at = at
    this.digits = digits
    this.inString = inString
  }

  private count(): void {
    if (++this.values > jsonValuesMax) refuse(`the body contains more than ${jsonValuesMax} values`)
  }
}

/** Checks every value the parser produced. */
class Check {
  private keys = 0
  private readonly pending: unknown[]

  constructor(value: unknown) {
    this.pending = [value]
  }

  /** At most this many values; true while some are left. */
  walk(most: number): boolean {
    for (let left = most; left > 0 && this.pending.length > 0; left--) this.look(this.pending.pop())
    return this.pending.length > 0
  }

  /** Every `key:` of the text that is missing from the value was overwritten by a later one. */
  end(shape: Shape): void {
    if (this.keys !== shape.pairs) refuse('the body contains the same key twice')
  }

  private look(value: unknown): void {
    if (typeof value === 'string') checkText(value)
    else if (typeof value === 'number') {
      if (!Number.isFinite(value)) refuse('a number in the body is out of range')
    } else if (Array.isArray(value)) for (const item of value) this.pending.push(item)
    else if (typeof value === 'object' && value !== null) this.lookInto(value as Record<string, unknown>)
  }

  private lookInto(value: Record<string, unknown>): void {
    const keys = Object.keys(value)
    if (keys.length > jsonKeysPerObjectMax) refuse(`an object in the body has more than ${jsonKeysPerObjectMax} keys`)
    this.keys += keys.length
    for (const key of keys) {
      if (pollutingKeys.has(key)) refuse(`the key "${key}" is not allowed`)
      checkText(key)
      this.pending.push(value[key])
    }
  }
}

/** A NUL or half a surrogate pair is not text that a store can keep. */
export function checkText(text: string): void {
  if (!text.isWellFormed() || text.includes('\u0000')) refuse('a string contains a lone surrogate or a NUL character')
}

export const isPrototypePolluting = (key: string): boolean => pollutingKeys.has(key)
