import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ErrorRow, errorTable, findRefusal } from '#venues/shared/exec/errorTable'

const ErrorBody = z.object({ code: z.string().optional(), text: z.string() })
const rows: readonly ErrorRow[] = [
  { status: [429], means: 'notLookedAt', shownAs: 'limited' },
  { code: 'paused', means: 'notLookedAt', shownAs: 'the venue says {code}: {text}' },
  { code: ['bad_key', 'old_key'], means: 'credential' },
  { code: 'no_nonce', means: 'credential', ourCode: 'GEMINI_TIME_NONCE_REQUIRED', advice: 'make another key' },
  { status: [400, 422], code: /^order_/, text: (text) => text !== '', means: 'order' },
  { status: [404], code: '', text: /not found/i, means: 'order' },
]
const read = (body: unknown) => ErrorBody.safeParse(body).data ?? null
const table = errorTable({ alsoUnder: [], read, rows })

describe('a table of errors', () => {
  it('returns null for a body in another shape', () => {
    expect(table.refusal('<html>', 400)).toBeNull()
    expect(table.refusal({ code: 'bad_key' }, 400)).toBeNull()
  })

  it('passes the status to the reader of the body', () => {
    const readBadRequest = (_body: unknown, status: number) => (status === 400 ? { text: '' } : null)
    const onlyBadRequests = errorTable({ alsoUnder: [], read: readBadRequest, rows })
    expect(onlyBadRequests.refusal({}, 400)).toEqual({ means: 'unclear', text: '' })
    expect(onlyBadRequests.refusal({}, 401)).toBeNull()
  })

  it('lets the first matching row decide', () => {
    expect(table.refusal({ code: 'bad_key', text: 'no' }, 429)).toEqual({ means: 'notLookedAt', text: 'limited' })
    expect(table.refusal({ code: 'bad_key', text: 'no' }, 400)).toEqual({ means: 'credential', text: 'no' })
  })

  it.each([
    ['a code of a list', { code: 'old_key', text: 'x' }, 403, 'credential'],
    ['a code of a form, under one of the statuses', { code: 'order_size', text: 'x' }, 422, 'order'],
    ['the same code under another status', { code: 'order_size', text: 'x' }, 409, 'unclear'],
    ['the same code without a text', { code: 'order_size', text: '' }, 422, 'unclear'],
    ['no code', { text: 'Order not found' }, 404, 'order'],
    ['a code where none is expected', { code: 'proxy', text: 'not found' }, 404, 'unclear'],
    ['a longer code', { code: 'paused_again', text: 'x' }, 400, 'unclear'],
  ])('%s', (_, body, status, means) => {
    expect(table.refusal(body, status)?.means).toBe(means)
  })

  it('shows our own wording with the venue’s code and text, which are not read as a template', () => {
    const body = { code: 'paused', text: '{code} costs $& {text}' }
    expect(table.refusal(body, 400)).toEqual({
      means: 'notLookedAt',
      text: 'the venue says paused: {code} costs $& {text}',
    })
  })

  it('adds our code and advice to a rejected credential', () => {
    expect(table.refusal({ code: 'no_nonce', text: 'nonce' }, 400)).toEqual({
      means: 'credential',
      text: 'nonce',
      code: 'GEMINI_TIME_NONCE_REQUIRED',
      advice: 'make another key',
    })
  })

  it('treats an error without a row as unclear, or as no answer of the venue', () => {
    const strict = errorTable({ alsoUnder: [], read, rows, unlisted: null })
    const body = { code: 'other', text: 'x' }
    expect(table.refusal(body, 400)).toEqual({ means: 'unclear', text: 'x' })
    expect(strict.refusal(body, 400)).toBeNull()
    expect(findRefusal(rows, body, 400)).toBeNull()
  })
})
