// One book off the stream, with whether it may be believed. Pure.
import type { Level } from '#schemas/marketData'
import type { Frame } from './frame.ts'

export interface LiveBook {
  bids: readonly Level[]
  asks: readonly Level[]
  /** Of the venue, epoch ms. */
  timestamp: number
  /** Why it is not to be believed any more; null: it is live. */
  staleBecause: string | null
}

export interface BookState {
  /** Null: there was none yet. */
  book: LiveBook | null
  /** The stream has none for this name. */
  refusal: string | null
}

const lost = 'the connection to the stream is lost'
export const none: BookState = { book: null, refusal: null }

export function nextBook(state: BookState, frame: Frame | null): BookState {
  if (frame === null) return state.book === null ? none : { ...state, book: { ...state.book, staleBecause: lost } }
  if (frame.type === 'snapshot' || frame.type === 'update')
    return { book: { ...frame.data, staleBecause: null }, refusal: null }
  if (frame.type !== 'error') return state
  return state.book === null
    ? { book: null, refusal: frame.message }
    : { ...state, book: { ...state.book, staleBecause: frame.message } }
}
