import { expect, it } from 'vitest'
import { engineCsv } from '../../../../src/history/engineCsv.ts'
import { encoded } from '../../../../src/history/lines/stringEscape.ts'

const texts = [
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['+1', "'+1"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tcmd', "'\tcmd"],
  ['\r=1', `"'\r=1"`],
  ['', '""'],
  ['a=b', 'a=b'],
  ['KXBTC-26', 'KXBTC-26'],
  ['a,b', '"a,b"'],
] as const

it.each(texts)('writes the text %j to CSV as %j', (text, csv) => {
  expect(Buffer.from(encoded(text, 'csv')).toString()).toBe(csv)
})

it('writes the same CSV from lines printed by the engine, and leaves numbers alone', async () => {
  const lines = texts.map(([text]) => `${JSON.stringify({ text, number: -0.5, none: null })}\n`).join('')
  const end = Promise.resolve({ rows: texts.length, last: null, more: false })
  const chunks = (async function* () {
    yield Buffer.from(lines)
  })()
  const page = engineCsv(['text', 'number', 'none'], { chunks, end })
  const written: Uint8Array[] = []
  for await (const chunk of page.chunks) written.push(chunk)
  expect(Buffer.concat(written).toString()).toBe(texts.map(([, csv]) => `${csv},-0.5,\n`).join(''))
})
