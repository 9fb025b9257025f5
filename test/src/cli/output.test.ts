import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { drawScreen, print, printError, printJson } from '../../../src/cli/output.ts'
import { showProgress } from '../../../src/cli/progress.ts'

const hostile = 'Will \u001b]0;owned\u0007 it \u202e win?'

afterEach(() => {
  vi.restoreAllMocks()
})

it('prints lines, messages and progress without foreign control characters', () => {
  const out = vi.spyOn(console, 'log').mockReturnValue()
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  print(hostile, 'a\nb')
  printError(`first\n${hostile}`)
  expect(out.mock.calls.flat()).toEqual(['Will \ufffd]0;owned\ufffd it \ufffd win?', 'a b'])
  expect(errors.mock.calls.flat()).toEqual(['first\nWill \ufffd]0;owned\ufffd it \ufffd win?'])
  const shown: string[] = []
  showProgress({ isTTY: true, columns: 80, write: (text: string | Uint8Array) => shown.push(String(text)) > 0 }).show(
    hostile,
  )
  expect(shown).toEqual(['\r\u001b[KWill \ufffd]0;owned\ufffd it \ufffd win?'])
})

it('prints JSON with the same value', () => {
  const out = vi.spyOn(console, 'log').mockReturnValue()
  printJson(JSON.stringify({ title: hostile, more: '\u009b' }))
  const [text] = out.mock.calls.flat() as [string]
  expect(text).toMatch(/^[ -~]*$/)
  expect(JSON.parse(text)).toEqual({ title: hostile, more: '\u009b' })
})

it('redraws a screen with no control sequences except its own', () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  drawScreen([hostile, 'second'])
  expect(written.mock.calls[0]![0]).toBe(
    '\u001b[HWill \ufffd]0;owned\ufffd it \ufffd win?\u001b[K\nsecond\u001b[K\n\u001b[J',
  )
})

it('is the only command file that writes to the terminal', () => {
  const folder = join(import.meta.dirname, '../../../src/cli')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  expect(names.length).toBeGreaterThan(15)
  const writers = names.filter((name) =>
    /console\.|process\.(?:stdout|stderr)\.write\((?!'\\n'\))/.test(readFileSync(join(folder, name), 'utf8')),
  )
  expect(writers).toEqual(['output.ts'])
})
