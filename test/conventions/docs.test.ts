// Statements of the pages about the program, compared with the program; and the targets of their links.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { errorCodes, streamOnlyCodes } from '#schemas/errors'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'sdk/typescript/README.md', 'sdk/python/README.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !/(^|\/)(node_modules|\.[^/]+)\//.test(name))
    .map((name) => join('docs', name)),
]
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')

/** As GitHub and the site make them. */
const anchorsIn = (text: string): string[] => [
  ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!),
  ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  ),
]

it('docs/decisions/index.md lists every record once, with its title, date and status', () => {
  const listed = [
    ...textOf('docs/decisions/index.md').matchAll(
      /^\| \[(\d{4})\]\((.+?)\) \| (.+) \| (.+?) \| (accepted|superseded by .+) \|$/gm,
    ),
  ].map(([, number, file, title, date]) => ({ number, file, title, date }))
  const records = readdirSync(join(root, 'docs/decisions'))
    .filter((file) => file !== 'index.md')
    .map((file) => {
      const text = textOf(`docs/decisions/${file}`)
      const [, number, title] = /^# (\d+)\. (.+)$/m.exec(text)!
      const [, accepted, changed] = /^Accepted ([\d-]+)(?:, last changed ([\d-]+))?\./m.exec(text)!
      const date = changed === undefined ? accepted : `${accepted} (changed ${changed})`
      return { number: number!.padStart(4, '0'), file, title, date }
    })
  expect(listed).toEqual(records)
  expect(records.map(({ number, file }) => file.startsWith(`${number}-`))).not.toContain(false)
  expect(new Set(records.map(({ number }) => number)).size).toBe(records.length)
})

describe('links to existing targets only', () => {
  it.each(pages)('%s', (page) => {
    const text = textOf(page).replace(/```[\s\S]*?```/g, '')
    for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?:|mailto:)/.test(link!)) continue
      const [path = '', anchor] = link!.split('#')
      const target = path === '' ? page : join(dirname(page), path)
      expect(existsSync(join(root, target)), `${page}: ${link}`).toBe(true)
      if (anchor !== undefined && target.endsWith('.md'))
        expect(anchorsIn(textOf(target)), `${page}: ${link}`).toContain(anchor)
    }
  })

  it('docs/index.md names every page', () => {
    const named = textOf('docs/index.md')
    for (const page of pages.filter((name) => /^docs\/[^/]+\.md$/.test(name) && name !== 'docs/index.md'))
      expect(named).toContain(`(${page.slice('docs/'.length)})`)
  })
})

describe('docs/errors.md', () => {
  const page = textOf('docs/errors.md')
  const [sent = '', never = ''] = page.split('## Never sent')
  const rows = new Map(
    [...sent.matchAll(/^\| `([A-Z_]+)` \| (\d+) \| (yes|no) \| .+ \| .+ \|$/gm)].map(([, code, status, retry]) => [
      code!,
      [Number(status), retry === 'yes'],
    ]),
  )
  const sources = ['src', 'actors', 'schemas'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !(folder === 'schemas' && name === 'errors.ts'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  )
  const isSent = (code: string): boolean => sources.some((text) => text.includes(`'${code}'`))

  it('lists every code that is sent with its status and whether to retry', () => {
    const codes = Object.entries(errorCodes).filter(([code]) => isSent(code))
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(codes.map(([code, facts]) => [code, [...facts]])))
  })

  it('lists the codes that are never sent, and those of the stream', () => {
    const unsent = Object.keys(errorCodes).filter((code) => !isSent(code))
    expect([...never.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code)).toEqual(unsent)
    for (const code of streamOnlyCodes) expect(sent).toContain(`| \`${code}\` |`)
  })
})
