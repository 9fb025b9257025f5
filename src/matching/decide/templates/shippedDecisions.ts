// The decisions in data/templates.jsonl: one a line, reviewed like code.
import { readFileSync } from 'node:fs'
import { TemplateDecisionSchema } from '#schemas/matchDecisions'
import type { TemplateDecision } from './templateDecision.ts'

export const shippedFile = new URL('../../../../data/templates.jsonl', import.meta.url)

/** Throws if a line is not a shipped decision. */
export function parseDecisions(text: string): TemplateDecision[] {
  return text.split('\n').flatMap((line, at): TemplateDecision[] => {
    if (line.trim() === '') return []
    const decision = TemplateDecisionSchema.parse(JSON.parse(line))
    if (decision.source !== 'shipped') throw new Error(`line ${at + 1}: the source of a shipped decision is "shipped"`)
    return [decision]
  })
}

export const readShippedDecisions = (): TemplateDecision[] => parseDecisions(readFileSync(shippedFile, 'utf8'))
