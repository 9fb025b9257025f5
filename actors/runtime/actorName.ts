// nact allows no `:`, `%` or `/` in names.

/** A name nact accepts, from any text; distinct texts stay distinct. */
export const actorName = (text: string): string =>
  text.replace(/[^A-Za-z0-9-]/g, (char) => (char === ' ' ? '-' : `_${char.codePointAt(0)?.toString(16)}_`))
