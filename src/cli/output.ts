// Standard output whose reader may leave before everything is written: `| head -1`.

/** A command ends quietly then: what it still writes goes nowhere. */
export function letReadersLeave(): void {
  for (const out of [process.stdout, process.stderr])
    out.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
}

/** Both are for commands that write until they are stopped. */
export const whenReaderLeaves = (end: () => void): void => void process.stdout.once('error', end)
export const whenInterrupted = (end: () => void): void => void process.once('SIGINT', end)
