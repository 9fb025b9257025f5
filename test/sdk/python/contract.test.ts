// sdk/python was generated from the current contract.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { contractDigest, readContract } from '#test/support/sdk/contract'
import { generate, generated, sdkPython, sdkRoot } from '#test/support/sdk/python'

const generatedSource = readFileSync(join(generated, 'contract.py'), 'utf8')
const constantOf = (name: string) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(generatedSource)?.[1]
const isLong = process.env.CROSSBOOK_TEST_LONG === '1'

it('the Python SDK and its contract', () => {
  expect(
    constantOf('DIGEST'),
    'the contract has changed: run `npm run sdk:python`, review the changes in sdk/python/src/crossbook/generated, and commit them',
  ).toBe(contractDigest(readContract()))
})

it('its version equals the contract’s', () => {
  const { info } = readContract().openapi as { info: { version: string } }
  expect(constantOf('VERSION')).toBe(info.version)
})

it('ignores changes of descriptions, and detects changes of fields', () => {
  const contract = readContract()
  const digest = contractDigest(contract)
  const changed = (change: (schemas: Record<string, { properties: Record<string, unknown> }>) => void) => {
    const copy = structuredClone(contract) as typeof contract & {
      openapi: { components: { schemas: Record<string, { properties: Record<string, unknown> }> } }
    }
    change(copy.openapi.components.schemas)
    return contractDigest(copy)
  }
  expect(changed(({ Market }) => Object.assign(Market!, { description: 'a market' }))).toBe(digest)
  expect(changed(({ Market }) => Object.assign(Market!.properties, { title: { type: 'number' } }))).not.toBe(digest)
  expect(changed(({ Market }) => Object.assign(Market!.properties, { summary: {} }))).not.toBe(digest)
})

it('rows of the tape have the fields of the contract', () => {
  const tape = readFileSync(join(sdkRoot, 'src/crossbook/tape.py'), 'utf8')
  const { schemas } = readContract().openapi.components as { schemas: Record<string, { properties: Field[] }> }
  const rows = { TobRow: 'TopOfBookLine', TradeRow: 'TradeLine', CandleRow: 'CandleLine', L2Row: 'DepthLine' }
  for (const [row, line] of Object.entries(rows)) {
    const [, body] = new RegExp(`^class ${row}\\(TypedDict\\):\n((?: {4}.*\n|\n(?! *\n))+)`, 'm').exec(tape)!
    const typedFields = Object.fromEntries(
      [...body!.matchAll(/^ {4}(\w+): (.+)$/gm)].map(([, name, type]) => [name, type]),
    )
    const fields = Object.entries(schemas[line]!.properties)
    expect(typedFields, row).toEqual(Object.fromEntries(fields.map(([name, field]) => [name, pythonOf(field)])))
  }
})

interface Field {
  type?: string | string[]
  const?: string
  enum?: string[]
  anyOf?: Field[]
}
const words: Record<string, string> = { string: 'str', number: 'float', integer: 'int', null: 'None' }

function pythonOf({ type, const: only, enum: several, anyOf }: Field): string {
  if (anyOf !== undefined) return anyOf.map(pythonOf).join(' | ')
  const literals = only === undefined ? several : [only]
  if (literals === undefined)
    return [type!]
      .flat()
      .map((name) => words[name])
      .join(' | ')
  return `Literal[${literals.map((word) => `"${word}"`).join(', ')}]`
}

it.runIf(isLong)('the generator reproduces the committed files', { timeout: 300_000 }, async ({ skip }) => {
  const { python, reason } = await sdkPython('codegen')
  if (python === null) return skip(reason)
  await generate(python, { check: true })
})
