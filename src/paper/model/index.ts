// The rules by which paper orders fill: pure and deterministic, without a clock or I/O. docs/paper-fill-model.md states the assumptions.
export { OutcomeMatcher } from './outcomeMatcher.ts'
export type {
  FillEvidence,
  FillModelSettings,
  PaperBook,
  PaperEvent,
  PaperLevel,
  PaperOrderRequest,
  PaperTrade,
} from './types.ts'
