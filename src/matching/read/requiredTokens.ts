// What a text must contain for a regular expression to match: derived from the expression itself, so that the two cannot diverge.

/** Placeholder for any digit. */
export const anyDigit = '\u0001'

/** More alternatives than this are not kept apart. */
const most = 96

/**
 * Lists of words, of one of which every word occurs in any text that matches; null if nothing is known. Words have no space. Throws for an
 * expression it cannot read.
 */
export function requiredTokensOf({ source, flags }: RegExp): string[][] | null {
  if (/[iv]/.test(flags)) return null
  const found = new Source(source).alternatives().map((text) => [...new Set(text.split(/[ \u00a6]+/).filter(Boolean))])
  return found.some((words) => words.length === 0) ? null : found
}

/** Texts in which a space matches anything, including nothing. */
type Texts = readonly string[]

const anything: Texts = [' ']
const nothing: Texts = ['']

const joined = (before: Texts, after: Texts): Texts =>
  before.length * after.length > most
    ? before.map((text) => `${text} `)
    : before.flatMap((text) => after.map((next) => text + next))

class Source {
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  alternatives(): Texts {
    const found = [...this.sequence()]
    while (this.skip('|')) found.push(...this.sequence())
    return found.length > most ? anything : found
  }

  private sequence(): Texts {
    let found = nothing
    let lookahead = nothing
    while (this.at < this.text.length && !/[|)]/.test(this.text[this.at]!)) {
      const look = /^\(\?<?([=!])/.exec(this.text.slice(this.at))
      if (look !== null) {
        const seen = this.group(look[0])
        if (/^[*+?{]/.test(this.text.slice(this.at))) throw this.unread()
        // Lookaheads and lookbehinds consume no characters.
        if (look[1] === '=') lookahead = joined(joined(lookahead, seen), anything)
        continue
      }
      const next = this.item()
      const times = /^(?:[*+?]|\{(\d+),?\d*\})\??/.exec(this.text.slice(this.at))
      this.at += times?.[0].length ?? 0
      if (times === null) found = joined(found, next)
      // The first of several follows what is before it.
      else found = joined(found, /^[*?]|^\{0/.test(times[0]) ? anything : joined(next, anything))
    }
    // Text found by a lookahead need not follow directly.
    return lookahead === nothing ? found : joined(joined(anything, lookahead), found)
  }

  private item(): Texts {
    const opening = /^\((?:\?(?::|<\w+>))?/.exec(this.text.slice(this.at))
    if (opening !== null) {
      if (opening[0] === '(' && this.text[this.at + 1] === '?') throw this.unread()
      return this.group(opening[0])
    }
    const letter = this.text[this.at++]!
    if (letter === '[') return this.classOf()
    if (letter === '\\') return this.escaped()
    if (letter === '^' || letter === '$') return nothing
    return letter === '.' ? anything : [letter]
  }

  private group(opening: string): Texts {
    this.at += opening.length
    const found = this.alternatives()
    this.skip(')')
    return found
  }

  private classOf(): Texts {
    const [whole, body = ''] = /^((?:\\.|[^\]\\])*)\]/.exec(this.text.slice(this.at))!
    this.at += whole.length
    if (/^(?:\d|\d-\d|\\d)+$/.test(body)) return [` ${anyDigit} `]
    return /^[\p{L}\d]{1,4}$/u.test(body) ? [...body] : anything
  }

  private escaped(): Texts {
    const letter = this.text[this.at++]!
    if (letter === 'b') return nothing
    if (letter === 'd') return [` ${anyDigit} `]
    const code = letter === 'u' ? /^[\da-f]{4}/i.exec(this.text.slice(this.at))?.[0] : undefined
    if (code !== undefined) {
      this.at += 4
      return [String.fromCharCode(Number.parseInt(code, 16))]
    }
    if (/[xcu\d]/.test(letter)) throw this.unread()
    if (letter === 'p' || letter === 'P') this.at += /^\{[^}]+\}/.exec(this.text.slice(this.at))?.[0].length ?? 0
    else if (letter === 'k') this.at += /^<\w+>/.exec(this.text.slice(this.at))?.[0].length ?? 0
    return /\w/.test(letter) ? anything : [letter]
  }

  /** Better than to take a part of it for letters. */
  private unread(): Error {
    return new Error(`what a pattern needs cannot be read at ${this.at}: ${this.text}`)
  }

  private skip(letter: string): boolean {
    if (this.text[this.at] !== letter) return false
    this.at++
    return true
  }
}
