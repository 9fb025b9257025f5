// nact allows no `:`, `%` or `/` in names.

/** Encodes any text as a name nact accepts; distinct texts stay distinct. */
export const actorName = (text: string): string =>
  text.replace(/[^A-Za-z0-9-]/g, (char) => (char === ' ' ? '-' : `_${char.codePointAt(0)?.toString(16)}_`))
