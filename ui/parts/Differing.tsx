import type { Part } from '../lib/wordDiff.ts'

/** A text whose differing words are marked. */
export function Differing({ parts }: { parts: readonly Part[] }) {
  return (
    <>
      {parts.map(({ text, start, differs }) =>
        differs ? <mark key={start}>{text}</mark> : <span key={start}>{text}</span>,
      )}
    </>
  )
}
