// The judge's store in PostgreSQL, shared by all processes.
import { countJudgeRequest, findJudgement, findJudgementKeys, insertJudgement } from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'
import type { JudgeStore } from './ports.ts'

export const createPostgresJudgeStore = (pool: Pool): JudgeStore => ({
  find: (of) => findJudgement(pool, of),
  findKeys: (keys, version) => findJudgementKeys(pool, keys, version),
  insert: (judgement) => insertJudgement(pool, judgement),
  countRequest: (requestsMax) => countJudgeRequest(pool, requestsMax),
})
