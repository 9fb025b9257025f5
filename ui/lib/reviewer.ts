// The reviewer's name, kept in this browser.
import { signal } from '@preact/signals'

const stored = 'crossbook.reviewer'

export const reviewerName = signal(localStorage.getItem(stored) ?? '')

export function setReviewerName(name: string): void {
  reviewerName.value = name
  localStorage.setItem(stored, name)
}

/** As sent with a decision; without a name the key is recorded alone. */
export const decidedBy = (): { by?: string } => {
  const by = reviewerName.peek().trim()
  return by === '' ? {} : { by }
}
