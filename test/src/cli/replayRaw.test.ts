// `crossbook replay-raw` as a program: its table, its JSON, and its exit code.
import { execFile } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { captureVersion } from '#rawCapture/lines'
import { projectRoot } from '#test/support/compose'
import { captureLab, editLines, temporaryFolder } from '#test/support/raw/capturedLab'
import { venueCases } from '#test/support/venueCases'

let folder: string
let remove: () => Promise<void>
beforeAll(async () => {
  ;({ folder, remove } = await temporaryFolder())
  await captureLab(venueCases.gemini, folder)
}, 120_000)
afterAll(() => remove())

const replay = (...words: string[]): Promise<{ code: number; out: string; error: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'src/cli.ts', 'replay-raw', ...words],
      { cwd: projectRoot },
      (failure, out, error) => resolve({ code: failure === null ? 0 : Number(failure.code), out, error }),
    )
  })

it('prints a row for each run, or an object, and exits with 0 when nothing differs', async () => {
  const table = await replay(folder)
  expect(table).toMatchObject({ code: 0, error: '' })
  expect(table.out).toMatch(/^venue +since \(UTC\) +frames/)
  expect(table.out).toMatch(/^gemini +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +[1-9]\d* +\d+ +4 +0 +[1-9]\d* +0$/m)
  const json = await replay(folder, '--json')
  expect(json.code).toBe(0)
  const report = JSON.parse(json.out)
  expect(report).toMatchObject({ venue: 'gemini', result: 'equal', first: null, books: { equal: 4, different: 0 } })
  expect(report.final.books).toHaveLength(4)
}, 120_000)

it('prints the first difference and exits with 1', async () => {
  let bookId = ''
  await editLines(folder, (lines) =>
    lines.map((line) => {
      if (line.type !== 'book' || line.state !== 'live' || bookId !== '') return line
      bookId = line.bookId
      return { ...line, levels: 'otherLevels' }
    }),
  )
  const { code, out } = await replay(folder)
  expect(code).toBe(1)
  expect(out).toContain(`gemini: first difference: book ${bookId}, recorded bid`)
  expect(out).toMatch(/jsonl\.gz line \d+\)/)
}, 120_000)

it('prints only the result when the capture has nothing to compare with', async () => {
  await editLines(folder, (lines) => lines.filter(({ type }) => type !== 'book' && type !== 'trades'))
  const { code, out } = await replay(folder)
  expect(code).toBe(0)
  expect(out).toMatch(/gemini: nothing to compare with; it ends with 4 live books and [1-9]\d* trades/)
}, 120_000)

it('rejects a newer format with one line', async () => {
  await editLines(folder, ([header, ...rest]) => [{ ...header!, version: captureVersion + 1 } as never, ...rest])
  const { code, out, error } = await replay(folder)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(error.trim().split('\n')).toHaveLength(1)
  expect(error).toMatch(/was written by a newer program/)
}, 120_000)
