// A caller's credential for the length of one request. It prints as `[secret]` wherever it may be printed, serialized or inspected; the
// text leaves only through `reveal`, at the line that signs or sends.
import { inspect } from 'node:util'

export class Secret {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  reveal(): string {
    return this.#text
  }
  toString(): string {
    return '[secret]'
  }
  toJSON(): string {
    return '[secret]'
  }
  [inspect.custom](): string {
    return '[secret]'
  }
}
