// Tests that take most of a minute: short runs do one of these a day, long runs all.
import { turnOf } from '../inTurn.ts'

const turns = ['sports', 'structures', 'option-prices', 'pending-fills', 'open-orders', 'compose services'] as const

export const isTurnOf = (name: (typeof turns)[number]): boolean => turnOf(turns).includes(name)
