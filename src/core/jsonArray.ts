// Joins values that are already JSON bytes into an array of them.

const [opening, comma, closing] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')]

export function jsonArray(values: readonly Buffer[]): Buffer {
  const pieces: Buffer[] = [opening]
  values.forEach((value, i) => {
    if (i > 0) pieces.push(comma)
    pieces.push(value)
  })
  pieces.push(closing)
  return Buffer.concat(pieces)
}
