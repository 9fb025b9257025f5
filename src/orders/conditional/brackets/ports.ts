// External dependencies of brackets: storage, the building of exits, and conditional orders.
import type { ExecutionStatus, JsonObject } from '#schemas/executions'
import type { BracketStore } from '#storage/postgres/brackets/store'
import type { OrderTerms } from '#venues/lane'
import type { Caller, ConditionalDeps } from '../ports.ts'

export interface Entry {
  id: string
  venue: string
  status: ExecutionStatus
  terms: OrderTerms
}

/** The venue's build body without the size, and the size as a decimal string. */
export interface ExitBuild {
  build: JsonObject
  size: string
}

export interface Builds {
  /** Throws EXECUTION_NOT_FOUND, or VALIDATION_ERROR if it is no order. */
  entry(accountId: string, id: string): Promise<Entry>
  /** Builds without storing. Throws whatever the build throws. */
  preview(caller: Caller, venue: string, exit: ExitBuild): Promise<OrderTerms>
  /** The same execution for the same key. */
  build(caller: Caller, venue: string, key: string, exit: ExitBuild): Promise<{ id: string; terms: OrderTerms }>
}

export interface BracketDeps {
  store: BracketStore
  builds: Builds
  conditional: ConditionalDeps
}

export interface BracketRouteDeps {
  brackets: BracketDeps
}
