// The venue's keyed descriptions (`perp:BTC|threshold:77177|time:20260912-0630`) and the templates they fill, as readable text.
import type { HyperTemplate } from '../wire.ts'

export type Fields = Readonly<Record<string, string>>
export type Templates = ReadonlyMap<string, HyperTemplate>

const templatePrefix = 'template:'

/** Empty for prose: only parts of the form word-colon count, and only when all parts have it. */
export function fieldsOf(description: string): Fields {
  const entries = description
    .replace(/^metadata=/, '')
    .split('|')
    .map((part) => /^(\w+):(.*)$/s.exec(part))
  if (entries.some((entry) => entry === null)) return {}
  return Object.fromEntries(entries.map((entry) => [entry![1]!, entry![2]!.trim()]))
}

/** The template a name refers to, null for a plain name or an unknown template. */
export const templateOf = (name: string, templates: Templates): HyperTemplate | null =>
  name.startsWith(templatePrefix) ? (templates.get(name.slice(templatePrefix.length)) ?? null) : null

/** Null while a placeholder stays unfilled: half a sentence is not shown. */
export function fill(text: string, fields: Fields, template: HyperTemplate | null): string | null {
  const kinds = new Map(template?.keywords ?? [])
  let whole = true
  const filled = text.replace(/\{(\w+)\}/g, (place, keyword: string) => {
    const value = Object.hasOwn(fields, keyword) ? fields[keyword]! : null
    if (value === null || value === '') whole = false
    const isTime = kinds.get(keyword) === 'dateTime' || kinds.get(keyword) === 'date'
    return value === null ? place : isTime ? (timeText(value) ?? value) : value
  })
  return whole ? filled : null
}

/** `template:{shortNameA}` and `template:Yes` follow the template; a bare name is used as it is. */
export function sideLabel(name: string, fields: Fields): string {
  const bare = name.startsWith(templatePrefix) ? name.slice(templatePrefix.length) : name
  return fill(bare, fields, null) ?? bare
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Epoch ms of `20260912-0630` (UTC) or `20260912` (the end of that day); null for an invalid calendar time. */
export function timeMs(text: string): number | null {
  const parts = /^(\d{4})(\d\d)(\d\d)(?:-(\d\d)(\d\d))?$/.exec(text)
  if (parts === null) return null
  const [year, month, day, hour, minute] = parts.slice(1).map((part) => (part === undefined ? null : Number(part)))
  const midnight = Date.UTC(year!, month! - 1, day!)
  const date = new Date(midnight)
  if (date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day! || midnight <= 0) return null
  if (hour === null || minute === null) return midnight + 86_400_000
  return hour! < 24 && minute! < 60 ? midnight + (hour! * 60 + minute!) * 60_000 : null
}

/** `Sep 12, 2026 06:30 UTC`, or only the day. */
export function timeText(text: string): string | null {
  if (timeMs(text) === null) return null
  const day = `${months[Number(text.slice(4, 6)) - 1]} ${Number(text.slice(6, 8))}, ${text.slice(0, 4)}`
  return text.length === 8 ? day : `${day} ${text.slice(9, 11)}:${text.slice(11, 13)} UTC`
}

/** In the spelling of the venue's own URLs. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9\s-]/g, '')
    .replace(/[\s-]+/g, '-')
    .replace(/^-+|-+$/g, '')
