import { execFile } from 'node:child_process'
import { describe, expect, it } from 'vitest'

const module = new URL('../../../src/backtest/watchdog.ts', import.meta.url).href

/** Runs in a process of its own, because the watchdog ends its process. `busy(ms)` keeps the thread busy. */
function run(text: string): Promise<{ signal: string | null; out: string; error: string }> {
  const script = `import { startWatchdog } from '${module}'
const busy = (ms) => { for (const end = Date.now() + ms; Date.now() < end; ); }
${text}`
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--no-warnings', '--input-type=module', '-e', script],
      { timeout: 60_000, killSignal: 'SIGTERM' },
      (failure, out, error) => resolve({ signal: failure?.signal ?? null, out, error }),
    )
  })
}

describe('the watchdog', () => {
  it('ends a process that never gives control back', async () => {
    const { signal, error } = await run('await startWatchdog(50)\nfor (;;);')
    expect(signal).toBe('SIGKILL')
    expect(error).toContain('the strategy never waits')
  })

  it('leaves one alone that waits for something else, or that waits again and again', async () => {
    const { signal, out } = await run(`const watchdog = await startWatchdog(1_000)
watchdog.waiting(true)
busy(3_000)
for (let i = 0; i < 150; i++) {
  watchdog.waiting(true)
  watchdog.waiting(false)
  busy(10)
}
await watchdog.stop()
console.log('ended')`)
    expect({ signal, out }).toEqual({ signal: null, out: 'ended\n' })
  })
})
