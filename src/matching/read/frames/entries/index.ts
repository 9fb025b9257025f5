// All templates, more specific ones first: a sentence belongs to the first that reads it.
import type { PropositionTemplate } from '../proposition.ts'
import { contests } from './contests.ts'
import { figures } from './figures.ts'
import { measures } from './measures.ts'
import { offices } from './offices.ts'
import { rankings } from './rankings.ts'
import { votes } from './votes.ts'

export const frames: readonly PropositionTemplate[] = [
  ...figures,
  ...measures,
  ...votes,
  ...rankings,
  ...contests,
  ...offices,
]
