// The last lines of a process's log, short enough to read in a terminal.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const bytesMax = 8_192
const linesMax = 8
const lineLengthMax = 400

export function tailOf(file: string): string {
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    const bytes = Buffer.alloc(Math.min(size, bytesMax))
    readSync(descriptor, bytes, 0, bytes.length, size - bytes.length)
    return bytes
      .toString()
      .trimEnd()
      .split('\n')
      .slice(-linesMax)
      .map((line) => (line.length > lineLengthMax ? `${line.slice(0, lineLengthMax - 1)}…` : line))
      .join('\n')
  } finally {
    closeSync(descriptor)
  }
}
