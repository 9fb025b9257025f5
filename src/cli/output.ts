// The only way from a command to the terminal: its output may contain text from venues and callers, so every line is sanitized here. The
// reader of standard output may exit before everything is written: `| head -1`.
import { plainJson, plainLine, plainText } from '#core/plainText'

/** Lines on standard output. */
export function print(...lines: readonly string[]): void {
  for (const line of lines) console.log(plainLine(line))
}

/** JSON text on standard output, its value unchanged. */
export function printJson(...texts: readonly string[]): void {
  for (const text of texts) console.log(plainJson(text))
}

/** A message on standard error; it may have several lines. */
export const printError = (message: string): void => console.error(plainText(message))

/** Redraws a terminal from its upper left corner: each line is cleared to its end, then everything below, so that nothing flickers. */
export function drawScreen(lines: readonly string[]): void {
  process.stdout.write(`\x1b[H${lines.map(plainLine).join('\x1b[K\n')}\x1b[K\n\x1b[J`)
}

export const clearScreen = (): void => void process.stdout.write('\x1b[2J\x1b[H')

/** The command then ends without an error: the rest of its output is discarded. */
export function drainStdout(): void {
  for (const out of [process.stdout, process.stderr])
    out.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
}

/** Both are for commands that write until they are stopped. */
export const onBrokenPipe = (end: () => void): void => void process.stdout.once('error', end)
export const whenInterrupted = (end: () => void): void => void process.once('SIGINT', end)
