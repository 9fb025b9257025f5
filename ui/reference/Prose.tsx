import { inlineMarkdown } from './inlineMarkdown.ts'

/** A description from the documents, whose code is marked with backticks. */
export const Prose = ({ of }: { of: string | undefined }) => (
  <>
    {inlineMarkdown(of ?? '').map(({ text, isCode }, at) => {
      // A piece is identified by its position in the text
      const key = `piece ${at}`
      return isCode ? <code key={key}>{text}</code> : <span key={key}>{text}</span>
    })}
  </>
)
