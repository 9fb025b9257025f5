// What the coverage and file routes read from.
import type { CursorCodec } from '#core/cursor'
import type { FileStore } from '../files/fileStore.ts'
import type { OutcomeCatalog } from '../resolveOutcome.ts'
import type { TapeCoverage } from '../tapeCoverage.ts'

export interface CoverageDeps {
  coverage: TapeCoverage
  catalog: OutcomeCatalog
  cursors: CursorCodec
  serves(venue: string): boolean
}

export interface FilesDeps {
  files: Pick<FileStore, 'find' | 'list' | 'pathOf'>
  cursors: CursorCodec
  serves(venue: string): boolean
}
