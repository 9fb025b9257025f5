// The optional LLM judge, which is used for pairs of questions that the matcher leaves open.
import { z } from 'zod'
import { family, webUrl, whole } from './envReaders.ts'

const printable = (most: number) =>
  z.string().regex(new RegExp(`^[\\x21-\\x7e]{1,${most}}$`), 'must be printable and without spaces')

/** Paths are appended to it, and it is logged. */
const isBase = (text: string): boolean => {
  if (!URL.canParse(text)) return true
  const { username, password, search, hash } = new URL(text)
  return [username, password, search, hash].every((part) => part === '')
}

/** A secret that neither JSON nor a log shows. */
const sealed = (text: string): { reveal(): string } => ({ reveal: () => text })

export const judge = family(
  {
    /** Base address of an OpenAI-compatible API: https://api.openai.com/v1 */
    CROSSBOOK_JUDGE_URL: webUrl.refine(isBase, 'must have no user, password, query or fragment').optional(),
    CROSSBOOK_JUDGE_MODEL: printable(100).optional(),
    CROSSBOOK_JUDGE_KEY: printable(1_000).optional(),
    /** Requests per UTC day, of all processes together; a judgement takes up to three. */
    CROSSBOOK_JUDGE_DAILY_BUDGET: whole(300, 3, 1_000_000),
  },
  (value) =>
    value.CROSSBOOK_JUDGE_URL === undefined || value.CROSSBOOK_JUDGE_MODEL === undefined
      ? undefined
      : {
          url: value.CROSSBOOK_JUDGE_URL.replace(/\/+$/, ''),
          model: value.CROSSBOOK_JUDGE_MODEL,
          key: value.CROSSBOOK_JUDGE_KEY === undefined ? undefined : sealed(value.CROSSBOOK_JUDGE_KEY),
          dailyBudget: value.CROSSBOOK_JUDGE_DAILY_BUDGET,
        },
)

/** Variables of this family that are required by others and missing, one line each. */
export function missingForJudge(given: Readonly<Record<string, string | undefined>>): string[] {
  const { CROSSBOOK_JUDGE_URL: url, CROSSBOOK_JUDGE_MODEL: model, CROSSBOOK_JUDGE_KEY: key } = given
  if (url !== undefined) return model === undefined ? ['CROSSBOOK_JUDGE_MODEL: required by CROSSBOOK_JUDGE_URL'] : []
  if (model === undefined && key === undefined) return []
  const cause = model === undefined ? 'CROSSBOOK_JUDGE_KEY' : 'CROSSBOOK_JUDGE_MODEL'
  return [`CROSSBOOK_JUDGE_URL: required by ${cause}`]
}
