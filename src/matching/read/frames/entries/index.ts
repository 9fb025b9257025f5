// All templates, more specific ones first: a sentence belongs to the first that reads it.
import type { PropositionTemplate } from '../proposition.ts'
import { contests, general } from './contests.ts'
import { figures } from './figures.ts'
import { measures } from './measures.ts'
import { appointments, offices } from './offices.ts'
import { outputs, rankings } from './rankings.ts'
import { votes } from './votes.ts'

export const frames: readonly PropositionTemplate[] = [
  ...figures,
  ...measures,
  ...votes,
  ...appointments,
  ...rankings,
  ...contests,
  ...offices,
  ...outputs,
  ...general,
]
