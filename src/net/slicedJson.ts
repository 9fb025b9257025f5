// Parses long JSON in slices, so that the event loop does other work between them: a megabyte of short keys takes the parser 60 ms. Lists and
// objects that fit into a slice are parsed whole; longer ones are assembled from runs of their members.
//
//   [ {…}, {…}, … {…}, {"rows": [ …, … ]}, {…} ]
//     └── a run ──┘          assembled       └ a run
import { setImmediate } from 'node:timers/promises'
import { AnswerTooComplex } from './jsonScan.ts'

export interface SliceOptions {
  /** Values parsed in one go. The slowest kind takes 0.7 us each. */
  valuesMax?: number
  bytesMax?: number
}

const defaults = { valuesMax: 10_000, bytesMax: 1024 * 1024 } as const
/** Keys of an object that is assembled: a larger one takes too long to grow. */
export const assembledKeysMax = 100_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const [OBJECT, OBJECT_END, LIST, LIST_END] = [0x7b, 0x7d, 0x5b, 0x5d]

interface Open {
  list: boolean
  start: number
  /** Its key in the object around it: the last text before it. */
  keyStart: number
  keyEnd: number
  /** First byte that is not parsed yet. */
  from: number
  /** Values seen up to there. */
  valuesBefore: number
  /** What was parsed so far; null while all of it may still be parsed in one go with what is around it. */
  assembled: unknown[] | Record<string, unknown> | null
  keys: number
  /** The last member parsed was a long one: a comma must follow. */
  comma: boolean
}

/** The value of `body`, as JSON.parse gives it. Throws SyntaxError, and AnswerTooComplex for an object with too many keys. */
export async function parseInSlices(body: Buffer, options: SliceOptions = {}): Promise<unknown> {
  const parser = new SlicedParser(body, { ...defaults, ...options })
  while (!parser.advance()) await setImmediate()
  return parser.result()
}

class SlicedParser {
  private at: number
  private readonly rootFrom: number
  private values = 0
  private textStart = -1
  private textEnd = -1
  private readonly stack: Open[] = []
  private root: { value: unknown; start: number; end: number } | null = null
  private readonly body: Buffer
  private readonly max: Required<SliceOptions>

  constructor(body: Buffer, max: Required<SliceOptions>) {
    this.body = body
    this.max = max
    this.rootFrom = body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
    this.at = this.rootFrom
  }

  /** Until something was parsed, or the end. True at the end. */
  advance(): boolean {
    const { body } = this
    const pause = Math.min(body.length, this.at + this.max.bytesMax)
    while (this.at < pause) {
      const at = this.at++
      switch (body[at]) {
        case QUOTE:
          this.skipText(at)
          break
        case OBJECT:
        case LIST:
          this.open(at, body[at] === LIST)
          break
        case COMMA:
          this.values++
          if (this.isFull(at)) return this.parseRun(at)
          break
        case OBJECT_END:
        case LIST_END:
          if (this.close(at, body[at] === LIST_END)) return false
      }
    }
    return this.at >= body.length
  }

  result(): unknown {
    const { root, stack, rootFrom } = this
    if (stack.length > 0) throw new SyntaxError('the text ends inside a list or an object')
    // A single value without brackets, or nothing.
    if (root === null) return JSON.parse(this.text(rootFrom, this.body.length))
    if (!isBlank(this.text(rootFrom, root.start)) || !isBlank(this.text(root.end, this.body.length)))
      throw new SyntaxError('the text contains more than one value')
    return root.value
  }

  private text(from: number, to: number): string {
    return this.body.toString('utf8', from, to)
  }

  private skipText(start: number): void {
    const { body } = this
    let at = start + 1
    for (; at < body.length; at++) {
      const byte = body[at]
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) break
    }
    this.textStart = start
    this.textEnd = at + 1
    this.at = at + 1
  }

  private open(start: number, list: boolean): void {
    this.values++
    this.stack.push({
      list,
      start,
      keyStart: this.textStart,
      keyEnd: this.textEnd,
      from: start + 1,
      valuesBefore: this.values,
      assembled: null,
      keys: 0,
      comma: false,
    })
  }

  private isFull(at: number): boolean {
    const open = this.stack.at(-1)
    if (open === undefined) return false
    return this.values - open.valuesBefore >= this.max.valuesMax || at - open.from >= this.max.bytesMax
  }

  /** The members up to the comma at `end`. */
  private parseRun(end: number): false {
    const open = this.stack.at(-1)!
    this.take(open, end, false)
    open.from = end + 1
    open.valuesBefore = this.values
    return false
  }

  /** True if something was parsed. */
  private close(at: number, list: boolean): boolean {
    const open = this.stack.pop()
    if (open === undefined || open.list !== list) throw new SyntaxError('brackets do not match')
    const around = this.stack.at(-1)
    const values = this.values - open.valuesBefore
    // Short enough for the run around it.
    if (open.assembled === null && around !== undefined && values < this.max.valuesMax) return false
    if (open.assembled === null) {
      const value: unknown = JSON.parse(this.text(open.start, at + 1))
      this.put(open, around, value, at + 1)
      return true
    }
    this.take(open, at, true)
    this.put(open, around, open.assembled, at + 1)
    return true
  }

  /** A long member: `around` is assembled from the run before it, itself and what follows. */
  private put(open: Open, around: Open | undefined, value: unknown, end: number): void {
    if (around === undefined) {
      if (this.root !== null) throw new SyntaxError('the text contains more than one value')
      this.root = { value, start: open.start, end }
      return
    }
    const before = around.list ? open.start : open.keyStart
    if (before < around.from) throw new SyntaxError('a member of an object has no key')
    if (!around.list && !colon.test(this.text(open.keyEnd, open.start)))
      throw new SyntaxError('a member of an object has no key')
    this.takeBefore(around, before)
    if (around.list) (around.assembled as unknown[]).push(value)
    else {
      const key: unknown = JSON.parse(this.text(open.keyStart, open.keyEnd))
      this.set(around, key as string, value)
    }
    around.from = end
    around.valuesBefore = this.values
    around.comma = true
  }

  /** The run before a long member: nothing, or members with a comma behind the last one. */
  private takeBefore(open: Open, end: number): void {
    open.assembled ??= open.list ? [] : {}
    const run = this.run(open, end)
    if (run === null) throw new SyntaxError('a comma is missing')
    if (isBlank(run)) return
    const members = run.replace(commaAtEnd, '')
    if (members === run) throw new SyntaxError('a comma is missing')
    if (isBlank(members)) throw new SyntaxError('a member is missing')
    this.add(open, members)
  }

  /** The run up to a comma, or to the end of the list or object. */
  private take(open: Open, end: number, isLast: boolean): void {
    const isEmpty = isLast && open.assembled === null
    open.assembled ??= open.list ? [] : {}
    const run = this.run(open, end)
    open.comma = false
    // Nothing behind a long member.
    if (run === null) return
    if (isBlank(run) && !isEmpty) throw new SyntaxError('a member is missing')
    this.add(open, run)
  }

  /** Unparsed text up to `end`, without the comma behind a long member; null when there is only that member. */
  private run(open: Open, end: number): string | null {
    const text = this.text(open.from, end)
    if (!open.comma) return text
    if (isBlank(text)) return null
    const behind = text.replace(commaAtStart, '')
    if (behind === text) throw new SyntaxError('a comma is missing')
    return behind
  }

  private add(open: Open, members: string): void {
    if (open.list) {
      const parsed = JSON.parse(`[${members}]`) as unknown[]
      const list = open.assembled as unknown[]
      for (const member of parsed) list.push(member)
      return
    }
    const parsed = JSON.parse(`{${members}}`) as Record<string, unknown>
    for (const key of Object.keys(parsed)) this.set(open, key, parsed[key])
  }

  private set(open: Open, key: string, value: unknown): void {
    if (++open.keys > assembledKeysMax) throw new AnswerTooComplex(`an object with more than ${assembledKeysMax} keys`)
    const object = open.assembled as Record<string, unknown>
    // An assignment would change what the object inherits from.
    if (key === '__proto__')
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
    else object[key] = value
  }
}

// JSON's white space; other kinds are not part of it.
const isBlank = (text: string): boolean => /^[ \t\n\r]*$/.test(text)
const colon = /^[ \t\n\r]*:[ \t\n\r]*$/
const commaAtStart = /^[ \t\n\r]*,/
const commaAtEnd = /,[ \t\n\r]*$/
