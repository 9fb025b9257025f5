// Makes a venue's reason safe to show. In this order:
//
//   contains post-acceptance wording and names a time-out ─► `venue request timed out`
//   contains post-acceptance wording                      ─► `rejected by venue`: it could be read as "it was placed"
//   `CODE: detail`                                        ─► `venue rejected: CODE (detail)`
//   short, plain, no secrets                              ─► verbatim
//   anything else                                         ─► `rejected by venue`

import type { RelayOutcome } from '#venues/lane'

const reasonLengthMax = 200
/** Anything longer is not shown, so it need not be read in full. */
const readMax = 2_000
const bounded = 'rejected by venue'

/** A reader could take these for "your order is in". */
const postAcceptance =
  /\b(accepted|acknowledged|acked|placed|resting|filled|matched|executed|submitted|live|posted|confirmed)\b/i
/** Order hashes, ids and addresses: private, and of no use to the reader of a reason. */
const hashes = /\b0x[0-9a-f]{16,}\b/gi
const timeOut = /\b(timed?[ -]?out|timeout|deadline exceeded)\b/i
const codeAndDetail = /^([A-Z][A-Z0-9_]{2,63}):\s*(\S.*)$/
/** Letters, digits and the punctuation of a sentence; no markup, no braces, no line breaks. */
const plain = /^['"‘“]?[\p{L}\p{N}[][\p{L}\p{N} .,:;'’"$€%()+\-/_#@!?=<>°*&|[\]]*$/u
/** A `<` may be a price comparison; one that opens a tag is rejected. */
const markup = /<[/!a-z]/i
/** Long unbroken runs are tokens, keys, hashes or addresses, unless they are words of letters joined by underscores or hyphens. */
const secretLike = /[A-Za-z0-9+/_=-]{32,}|-----BEGIN|\bbearer\s/i
const joinedWords =
  /(?<![A-Za-z0-9+/_=-])(?:[a-z]{1,16}|[A-Z]{1,16})(?:[_-](?:[a-z]{1,16}|[A-Z]{1,16})){2,}(?![A-Za-z0-9+/_=-])/g

export function sanitizeReason(text: string | null | undefined): string {
  const shown = sanitize(text)
  if (typeof shown !== 'string') return shown === null ? bounded : `venue rejected: ${shown.code} (${shown.detail})`
  return shown
}

/**
 * What a relay with an unknown outcome came to, for the order's owner. The text is sanitized like a refusal's, but nothing in it may read as one.
 */
export function describeUnknown({ httpStatus, text = '', reason }: Extract<RelayOutcome, { kind: 'unknown' }>): string {
  if (reason !== undefined) return reason
  if (httpStatus === undefined && text === '') return 'the venue did not answer'
  const shown = sanitize(text.slice(0, readMax).replace(hashes, '[hash]').trim().slice(0, reasonLengthMax))
  const words = shown !== null && typeof shown === 'object' ? `${shown.code} (${shown.detail})` : shown
  const status =
    httpStatus === undefined ? 'the venue’s answer is unclear' : `the venue answered with status ${httpStatus}`
  return words === null ? status : `${status}: ${words}`
}

/** Null: it cannot be shown, or says nothing. */
function sanitize(text: string | null | undefined): string | { code: string; detail: string } | null {
  const reason = (text ?? '').trim().slice(0, readMax).replace(hashes, '[hash]')
  if (reason === '') return null
  const words = inWords(reason)
  if (postAcceptance.test(withoutNegation(words))) return timeOut.test(words) ? 'venue request timed out' : null
  if (!isSafe(reason)) return null
  const [, code, detail] = codeAndDetail.exec(reason) ?? []
  return code === undefined || detail === undefined ? reason : { code, detail }
}

/** `ORDER_FILLED` and `orderFilled` are two words each. */
const inWords = (text: string): string => text.replace(/_/g, ' ').replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')

/** "not filled", "could not be matched" say the opposite. */
const withoutNegation = (text: string): string =>
  text.replace(/\b(not|never|no|cannot|can't|couldn't|wasn't|isn't|un)\s+(be\s+|been\s+|fully\s+)*\w+/gi, '')

const isSafe = (text: string): boolean =>
  text.length <= reasonLengthMax &&
  plain.test(text) &&
  !markup.test(text) &&
  !secretLike.test(text.replace(joinedWords, 'words'))
