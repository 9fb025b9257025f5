// Questions at a terminal. They go to standard error: the final output may go to a file.
import { createInterface } from 'node:readline/promises'
import { plainText } from '#core/plainText'

/** Shows a prompt and returns what was typed; null at the end of the input. */
export type Ask = (text: string) => Promise<string | null>

export async function atTerminal<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<null>((resolve) => terminal.once('close', () => resolve(null)))
  const ask: Ask = async (text) => {
    const typed = await Promise.race([terminal.question(plainText(text)), closed])
    // The end of the input leaves the cursor after the question.
    if (typed === null) process.stderr.write('\n')
    return typed
  }
  try {
    return await work(ask)
  } finally {
    terminal.close()
  }
}

/** Repeats with `again` until the input is one of the answers, in any case; null at the end of the input. */
export async function answerTo<Answer>(
  ask: Ask,
  text: string,
  answers: ReadonlyMap<string, Answer>,
  again: string,
): Promise<Answer | null> {
  for (let prompt = text; ; prompt = again) {
    const typed = await ask(prompt)
    if (typed === null) return null
    const answer = answers.get(typed.trim().toLowerCase())
    if (answer !== undefined) return answer
  }
}
