// Progress on a terminal: one line of standard error that is overwritten and removed at the end.
import { plainLine } from '#core/plainText'

export interface Progress {
  show(text: string): void
  done(): void
}

export function showProgress(out: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'> = process.stderr): Progress {
  if (out.isTTY !== true) return { show: () => undefined, done: () => undefined }
  let isShown = false
  return {
    show(text) {
      isShown = true
      // A wrapped line could not be overwritten.
      out.write(`\r\x1b[K${plainLine(text).slice(0, Math.max(10, (out.columns ?? 80) - 1))}`)
    },
    done() {
      if (isShown) out.write('\r\x1b[K')
      isShown = false
    },
  }
}
