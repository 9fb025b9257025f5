// How fast the matcher reads questions, compares pairs and finds candidates among 200,000 markets.
import { CandidateIndex } from '#matching/candidates'
import { compareQuestions } from '#matching/compare'
import type { MatchInput } from '#matching/input'
import { type Question, readQuestion } from '#matching/question'
import { prng } from '#lab/prng'
