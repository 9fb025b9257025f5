// Questions on something that must last until a day: the later the day, the less likely. Of "by June" and "by July", the later then implies
// the earlier.
import type { Question } from '../read/question.ts'

/**
 * Missing the goal of 2025 does not preclude meeting that of 2030, and vice versa: the later day belongs to another goal.
 */
const ownGoals =
  /\b(?:meets?|hits?|achieves?|reach(?:es)?) (?:its|their|his|her|the) (?:\S+ ){0,3}(?:goals?|targets?|pledges?|commitments?)\b/i

const words =
  /\b(?:no|none|nobody|never|neither|avoids?|fails?|without|still|remains?|stays?|keeps?|retains?|holds?|lasts?|survives?|continues?|maintains?|until|through|throughout)\b/i

/** In words that nothing read as a negation: the direction of an implication between two deadlines is then unknown. */
export const isPersistent = ({ text, negated, proposition }: Question): boolean =>
  ownGoals.test(text) || (!(proposition === null ? negated : proposition.denied) && words.test(text))
