// The checklist that a model fills in: the same items for every pair, each with a quotation from both texts.
import { z } from 'zod'

/** What each item means; part of the prompt. */
export const checklistItems = {
  who: 'the person, team, company, country or thing that the question is about',
  act: 'what has to happen for Yes: the event, state or figure, and whether an announcement of it is enough',
  place: 'the country, state, district, office, chamber, league or competition',
  date: 'the day, deadline, term, season or edition, and the time zone in which it ends',
  threshold:
    'the number that is compared, its unit, its direction and whether equal counts; also "most" or "a majority"',
  stage:
    'the round or stage: a primary or the election, the first round or the whole contest, a nomination or an appointment',
  source: 'who or what decides the outcome',
  polarity: 'whether Yes of the first question is Yes of the second; "different" if it is No',
  game: 'for sports: the sport, the game and the period of it that counts',
  edgeCases:
    'what happens on a tie, a death, a withdrawal, a cancellation, a postponement; "same" if no case that the rules name ends as Yes for one and as No for the other',
} as const

export type ChecklistField = keyof typeof checklistItems
export const checklistFields = Object.keys(checklistItems) as ChecklistField[]

export const itemVerdicts = ['same', 'different', 'unclear'] as const
export type ItemVerdict = (typeof itemVerdicts)[number]

const quotationMax = 1_000
const reasonMax = 2_000

const ChecklistItem = z.strictObject({
  /** Quotation from the first text; null: it does not state the item. */
  first: z.string().max(quotationMax).nullable(),
  second: z.string().max(quotationMax).nullable(),
  reason: z.string().max(reasonMax),
  verdict: z.enum(itemVerdicts),
})
export type ChecklistItem = z.infer<typeof ChecklistItem>

export const Checklist = z.strictObject(
  Object.fromEntries(checklistFields.map((field) => [field, ChecklistItem] as const)) as Record<
    ChecklistField,
    typeof ChecklistItem
  >,
)
export type Checklist = z.infer<typeof Checklist>

/** For structured output. Without lengths, which many endpoints do not accept: they are checked afterwards. */
export const checklistSchema = {
  type: 'object',
  properties: Object.fromEntries(
    checklistFields.map((field) => [
      field,
      {
        type: 'object',
        description: checklistItems[field],
        properties: {
          first: { type: ['string', 'null'] },
          second: { type: ['string', 'null'] },
          reason: { type: 'string' },
          verdict: { type: 'string', enum: [...itemVerdicts] },
        },
        required: ['first', 'second', 'reason', 'verdict'],
        additionalProperties: false,
      },
    ]),
  ),
  required: [...checklistFields],
  additionalProperties: false,
} as const
