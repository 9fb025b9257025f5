// Arbitrage over relations: legs of several markets that cannot all lose. Foundations and search: docs/decisions/0053.
export { type Explanation, explainLegs, type Verdict } from './explanation.ts'
export type { StructureOptions } from './groupStructures.ts'
export type { Answer, Offer, Offers, OffersOf, PairRelation, Relation, StructureMarket } from './input.ts'
export type { Structure, StructureKind, StructureLeg } from './structure.ts'
export {
  type CompiledStructures,
  compileStructures,
  type FoundStructures,
  findStructures,
  StructureSurface,
} from './structureSurface.ts'
