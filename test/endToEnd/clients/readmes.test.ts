// CROSSBOOK_TEST_LONG=1: every block of both clients' READMEs, run as printed against a demo. Only the address, the key and the market are
// replaced.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, eventually, type Served } from '#test/support/cluster/client'
import { type Python, pythonDeadlineMs } from '#test/support/python/venv'
import { sdkPython, sdkRoot } from '#test/support/sdk/python'
import { isLong } from '#test/support/shortRuns'
import { type PrintedDemo, root, startPrintedDemo } from '../printedDemo.ts'

const blocksOf = (client: string, language: string): string[] => {
  const page = readFileSync(join(root, `sdk/${client}/README.md`), 'utf8')
  return [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text!)
}
const harness = fileURLToPath(new URL('./printedBlock.py', import.meta.url))

describe.runIf(isLong)('READMEs', () => {
  let folder: string
  let demo: PrintedDemo
  let served: Served
  let outcomes: { kalshi: string; hyperliquid: string }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'crossbook-readmes-'))
    demo = await startPrintedDemo('--venues', 'hyperliquid,kalshi')
    const { url, apiKey } = JSON.parse(readFileSync(join(demo.dataDir, 'runtime.json'), 'utf8')) as Served
    served = { url, apiKey, stream: `${url.replace('http', 'ws')}/v1/stream` }
    outcomes = { kalshi: await busiest('kalshi'), hyperliquid: await busiest('hyperliquid') }
    await demo.shell('npm run --silent sdk:build')
    mkdirSync(join(folder, 'node_modules/@crossbook'), { recursive: true })
    symlinkSync(join(root, 'sdk/typescript'), join(folder, 'node_modules/@crossbook/client'))
    for (const name of ['viem', 'standardwebhooks'])
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  }, 600_000)
  afterAll(async () => {
    await demo?.stop()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  /** An outcome that has bids. */
  const busiest = (venue: string): Promise<string> =>
    eventually(async () => {
      const { body } = await ask(served, `/api/${venue}/fetchMarkets?limit=20&status=active`)
      let last = body
      for (const { outcomes: listed } of (body.data ?? []) as { outcomes: { outcomeId: string }[] }[]) {
        const { outcomeId } = listed[0]!
        const { body: book } = await ask(served, `/api/${venue}/fetchOrderBook?outcomeId=${outcomeId}`)
        last = book
        if (((book.data as { bids?: unknown[] } | undefined)?.bids?.length ?? 0) > 0) return outcomeId
      }
      return expect.fail(`${venue} has no book with bids: ${JSON.stringify(last).slice(0, 500)}`)
    }, 200_000)

  describe('TypeScript', () => {
    /** Appended to a block that only defines something. */
    const used: Record<string, string> = {
      buy: `import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
        const account = privateKeyToAccount(generatePrivateKey())
        console.log('order', (await buy(account, account.address)).data.status)`,
      receive: `import { Webhook } from 'standardwebhooks'
        const secret = 'whsec_' + btoa('a'.repeat(32))
        const [now, body] = [new Date(), '{"test":true}']
        const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': new Webhook(secret).sign('msg_1', now, body) }
        const request = new Request('http://127.0.0.1/', { method: 'POST', headers, body })
        console.log('answered', (await receive(request, secret)).status)`,
    }
    const ends = [/^\S+ .+$/, /^done$/, /^\d+ 0\.\d+$/, /^order (acked|filled)$/, /^answered 204$/]
    const printed = blocksOf('typescript', 'ts')

    it('has as many blocks as are checked', () => {
      expect(printed).toHaveLength(ends.length)
    })

    it.each(printed.map((text, i) => [i + 1, text] as const))(
      'block %i',
      async (number, text) => {
        const defined = /^async function (\w+)/m.exec(text)?.[1]
        const moved = text
          .replaceAll('http://127.0.0.1:8080', served.url)
          .replaceAll('xb_live_…', served.apiKey)
          .replaceAll('KXBTC-26DEC31-100K', outcomes.kalshi)
          .replaceAll("'532'", `'${outcomes.hyperliquid}'`)
        const file = join(folder, `block${number}.ts`)
        writeFileSync(file, `${moved}\n${defined === undefined ? "console.log('done')" : used[defined]}\n`)
        await printsLine(file, ends[number - 1]!)
      },
      90_000,
    )
  })

  /** Runs until a line matches: a loop over the stream never ends. */
  async function printsLine(file: string, line: RegExp): Promise<void> {
    const child = spawn(process.execPath, [file], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString()
    })
    const lines: string[] = []
    try {
      for await (const printedLine of createInterface({ input: child.stdout })) {
        if (line.test(printedLine)) return
        lines.push(printedLine)
      }
    } finally {
      child.kill('SIGKILL')
    }
    expect.fail(`no line like ${line} in:\n${lines.join('\n')}\n${errors}`)
  }

  describe('Python', () => {
    let python: Python | null
    let reason: string | null
    beforeAll(async () => {
      ;({ python, reason } = await sdkPython('test', 'frames'))
    }, pythonDeadlineMs + 10_000)
    const expectedLines = [
      /^\S+ .+$/m,
      /^book \S+$/m,
      /^value list [1-9]\d*\nvalue DataFrame \d+\nvalue \w+Path \S*\nvalue list \d+\nvalue list [1-9]\d*$/m,
      /^value \w+Answer True$/m,
      /^delivery msg_1$/m,
    ]
    const printed = blocksOf('python', 'python')

    it('has as many blocks as are checked', () => {
      expect(printed).toHaveLength(expectedLines.length)
    })

    it.each(printed.map((text, i) => [i + 1, text] as const))(
      'block %i',
      async (number, text) => {
        expect(python, reason ?? '').not.toBeNull()
        const given = JSON.stringify({
          ...{ outcome_id: outcomes.kalshi, since: Date.now() - 60_000, until: Date.now() },
          order: { outcome: outcomes.hyperliquid, outcomeSide: 'YES', isBuy: true, price: '0.45', size: 50 },
        })
        const moved = text
          .replaceAll('http://127.0.0.1:8080', served.url)
          .replaceAll('xb_live_…', served.apiKey)
          .replaceAll('KXBTC-26DEC31-100K', outcomes.kalshi)
        const env = { CROSSBOOK_URL: served.url, CROSSBOOK_KEY: served.apiKey, GIVEN: given }
        const file = join(folder, `block${number}.py.txt`)
        writeFileSync(file, moved)
        const source = { ...env, PYTHONPATH: join(sdkRoot, 'src') }
        const output = await python!.run([harness, file], { env: source, timeoutMs: 80_000, cwd: folder })
        expect(output).toMatch(expectedLines[number - 1]!)
      },
      90_000,
    )
  })
})
