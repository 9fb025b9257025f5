// The LLM judge of template pairs: an optional second opinion.
export { createJudgeClient, type JudgeClientOptions } from './client.ts'
export type { Judge, JudgeMarket, JudgeRequest, JudgeResult, JudgeStore } from './ports.ts'
export { createPostgresJudgeStore } from './postgresStore.ts'
export { createJudge, type JudgeOptions } from './protocol.ts'
