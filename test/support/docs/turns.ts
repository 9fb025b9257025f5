// What costs most of a minute for every short run: one of these a day, in long runs all.
import { turnOf } from '../inTurn.ts'

const turns = ['sports', 'structures', 'option-prices', 'pending-fills', 'open-orders', 'compose services'] as const

export const isTurnOf = (name: (typeof turns)[number]): boolean => turnOf(turns).includes(name)
