import { inlineMarkdown } from './inlineMarkdown.ts'

/** A description out of the documents, whose code is marked with backticks. */
export const Prose = ({ of }: { of: string | undefined }) => (
  <>
    {inlineMarkdown(of ?? '').map(({ text, isCode }, at) => {
      // A place in the text is what a piece of it is
      const key = `piece ${at}`
      return isCode ? <code key={key}>{text}</code> : <span key={key}>{text}</span>
    })}
  </>
)
