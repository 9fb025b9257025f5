// Every built lane. A venue's folder exports it from exec/index.ts; the data half of the same folder stands in registry.ts.
import type { ExecutionVenue } from '#schemas/venues'
import type { Lane } from './lane.ts'

export const lanes: Readonly<Partial<Record<ExecutionVenue, Lane>>> = {}
