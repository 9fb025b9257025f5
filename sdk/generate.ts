// `npm run sdk:generate`: writes the parts of the TypeScript client that follow from the program's API documents, and the summary that the
// next change of the documents is compared with.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { breaking, isBreakingBump } from './breaking.ts'
import { type Documents, documents, type Json } from './contract.ts'
import { type Summary, summarize } from './summary.ts'

const client = new URL('./typescript/', import.meta.url)
export const generatedFolder = new URL('./src/generated/', client)
export const summaryFile = new URL('./generated/contract.json', import.meta.url)

interface Generator {
  default(document: Json, options: object): Promise<unknown>
  astToString(ast: unknown): string
}

/** Installed next to the TypeScript version that generates the types, which is not the one that checks this code. */
const generator = (): Generator => createRequire(new URL('./package.json', client))('openapi-typescript') as Generator

const banner = (from: string): string =>
  `// Written by \`npm run sdk:generate\` from the program's ${from}. Change that, not this.\n`

/** Text by file name. */
export async function generated({ openapi, asyncapi }: Documents): Promise<Record<string, string>> {
  const { default: typesOf, astToString } = generator()
  const write = async (document: Json): Promise<string> =>
    astToString(
      await typesOf(document, {
        defaultNonNullable: false,
        rootTypes: true,
        rootTypesNoSchemaPrefix: true,
        silent: true,
      }),
    )
  return {
    'api.ts': banner('/openapi.json') + (await write(withMembers(openapi) as Json)),
    'frames.ts': banner('/asyncapi.json') + (await write(framesOf(asyncapi))),
    'operations.ts': banner('/openapi.json') + operationsOf(openapi),
  }
}

/** A parameter that is sent as JSON text has the type of that JSON. */
function withMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMembers)
  if (typeof value !== 'object' || value === null) return value
  const { contentSchema } = value as { contentSchema?: unknown }
  if (contentSchema !== undefined) return withMembers(contentSchema)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withMembers(member)]))
}

interface Message {
  payload: Json
}

/** Frames as components of a document without paths. */
function framesOf(asyncapi: Json): Json {
  const { messages, schemas } = asyncapi.components as {
    messages: Record<string, Message>
    schemas: Json
  }
  const named = Object.entries(messages).map(([name, { payload }]) => [frameName(name), payload])
  return {
    openapi: '3.1.0',
    info: { title: 'frames', version: '0' },
    paths: {},
    components: { schemas: { ...schemas, ...Object.fromEntries(named) } },
  }
}

function frameName(message: string): string {
  const name = message === 'subscribed' ? 'ack' : message
  const upper = name.charAt(0).toUpperCase() + name.slice(1)
  return message === 'clientOp' ? upper : `${upper}Frame`
}

interface Operation {
  operationId: string
  parameters: readonly { $ref?: string; name?: string; in?: string }[]
}

/** Run-time data of each operation. A verb with GET and POST has its plain name for GET. */
function operationsOf(openapi: Json): string {
  const { parameters } = openapi.components as { parameters: Record<string, { name: string; in: string }> }
  const paths = openapi.paths as Record<string, Record<string, Operation>>
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters: own }]) => {
      const names = own.map(({ $ref, name }) =>
        $ref === undefined ? name : parameters[$ref.slice($ref.lastIndexOf('/') + 1)]?.name,
      )
      const cursor = ['cursor', 'after'].find((name) => names.includes(name))
      const fields = [
        `method: '${method.toUpperCase()}'`,
        `path: '${path}'`,
        ...(names.includes('Idempotency-Key') ? ['keyed: true'] : []),
        ...(cursor === undefined ? [] : [`cursor: '${cursor}'`]),
      ]
      return `  ${operationId.replace(/_get$/, '')}: { ${fields.join(', ')} },\n`
    }),
  )
  return `export const table = {\n${lines.join('')}} as const\n`
}

export const readSummary = (): Summary | null => {
  try {
    return JSON.parse(readFileSync(summaryFile, 'utf8')) as Summary
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** One line for each operation and each schema, so that a diff shows which one changed. */
function textOf({ version, stream, operations, schemas }: Summary): string {
  const lines = (named: object): string =>
    Object.entries(named)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(',\n')
  return `{"version":${JSON.stringify(version)},\n"operations":{\n${lines(operations)}},\n"stream":{\n${lines(stream)}},\n"schemas":{\n${lines(schemas)}}}\n`
}

const root = new URL('../', import.meta.url)

/** Raises the version part that announces breaking changes: the minor for `0.x`. In every file that contains the version. */
function raiseVersion(from: string): string {
  const [major = 0, minor = 0] = from.split('.').map(Number)
  const to = major === 0 ? `0.${minor + 1}.0` : `${major + 1}.0.0`
  for (const file of ['package.json', 'sdk/typescript/package.json', 'package-lock.json', 'src/core/version.ts']) {
    const path = new URL(file, root)
    const text = readFileSync(path, 'utf8')
    const named = file === 'package-lock.json' ? lockedVersions : /(?<=^ {2}"version": "|version = ')[^"']+/m
    writeFileSync(path, text.replace(named, to))
  }
  return to
}

/** The versions of the program and of its client, among those of all packages. */
const lockedVersions = /(?<="(?:crossbook|@crossbook\/client)",\n\s*"version": ")[^"]+/g

async function main(): Promise<void> {
  const before = readSummary()
  const isRaised = process.argv.includes('--raise')
  const current = isRaised ? documents(raiseVersion(documents().version)) : documents()
  const now = summarize(current)
  const breaks = before === null || isBreakingBump(before.version, now.version) ? [] : breaking(before, now)
  if (breaks.length > 0) {
    const lines = breaks.join('\n  ')
    throw new Error(
      `these changes break clients of ${before!.version}:\n  ${lines}\nnpm run sdk:generate -- --raise raises the version`,
    )
  }
  mkdirSync(generatedFolder, { recursive: true })
  for (const [name, text] of Object.entries(await generated(current)))
    writeFileSync(new URL(name, generatedFolder), text)
  mkdirSync(new URL('.', summaryFile), { recursive: true })
  writeFileSync(summaryFile, textOf(now))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
