export interface Piece {
  text: string
  isCode: boolean
}

/** Splits text into plain and code parts; an unmatched backtick stays as it is. Pure. */
export function inlineMarkdown(text: string): Piece[] {
  const pieces = text.split(/`([^`]+)`/)
  return pieces.map((piece, i) => ({ text: piece, isCode: i % 2 === 1 })).filter((piece) => piece.text !== '')
}
