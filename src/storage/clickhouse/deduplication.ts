// Retried inserts. The engine recognizes a token it has seen and ignores the repeat. But it records the token a moment before it stores the
// rows: if it is killed in between, it treats the rows as written although they were not. So a retried insert is followed by one that adds
// the missing rows: once acknowledged, earlier tries have ended and their effects are visible.

/** Values are written in this order; columns are named so that the table may gain new ones. */
export interface InsertTarget {
  table: string
  columns: readonly string[]
  /** Default RowBinary. */
  format?: 'RowBinary' | 'Native' | 'JSONEachRow'
  /**
   * A condition that all rows of this insert meet and few others do: limits the search for them when the insert is repeated. Null: the
   * table deduplicates equal rows itself.
   */
  within: string | null
  /** Columns in which the same row may differ when another process writes it. */
  except?: readonly string[]
}

export interface RepeatsPorts {
  put(sql: string, rows: Buffer, token: string): Promise<void>
  /** Of a table's columns. */
  typesOf(table: string): Promise<Map<string, string>>
}

/** From the earliest to the latest of some times. */
export class Span {
  private from = Number.MAX_SAFE_INTEGER
  private to = 0

  note(time: number): void {
    if (time < this.from) this.from = time
    if (time > this.to) this.to = time
  }

  within(column: string): string {
    return `${column} BETWEEN ${this.from} AND ${this.to}`
  }
}

export function between<Row>(column: string, rows: readonly Row[], of: (row: Row) => number): string {
  const span = new Span()
  for (const row of rows) span.note(of(row))
  return span.within(column)
}

/** Writers that abandoned an insert leave its token here. */
const uncertainTokensMax = 10_000

export class Deduplicator {
  private readonly ports: RepeatsPorts
  /** Tokens of inserts that failed but may have succeeded. */
  private readonly uncertainTokens = new Set<string>()

  constructor(ports: RepeatsPorts) {
    this.ports = ports
  }

  async insert(target: InsertTarget, rows: Buffer, token: string, repeated = false): Promise<void> {
    const { table, columns, format = 'RowBinary' } = target
    const isRepeated = repeated || this.uncertainTokens.has(token)
    try {
      await this.ports.put(`INSERT INTO ${table} (${columns.join(', ')}) FORMAT ${format}`, rows, token)
      if (isRepeated) await this.ports.put(await this.missingSql(target, format), rows, `${token}/missing`)
    } catch (error) {
      this.markUncertain(token)
      throw error
    }
    this.uncertainTokens.delete(token)
  }

  private async missingSql({ table, columns, within, except = [] }: InsertTarget, format: string): Promise<string> {
    const names = columns.join(', ')
    if (within === null) return `INSERT INTO ${table} (${names}) FORMAT ${format}`
    const types = await this.ports.typesOf(table)
    const same = columns.filter((name) => !except.includes(name)).join(', ')
    const structure = columns.map((name) => `${name} ${types.get(name)}`).join(', ')
    return (
      `INSERT INTO ${table} (${names}) SELECT ${names} FROM input('${structure.replaceAll("'", "\\'")}') ` +
      `WHERE (${same}) NOT IN (SELECT ${same} FROM ${table} WHERE ${within}) FORMAT ${format}`
    )
  }

  private markUncertain(token: string): void {
    this.uncertainTokens.add(token)
    if (this.uncertainTokens.size > uncertainTokensMax)
      for (const oldest of [...this.uncertainTokens].slice(0, uncertainTokensMax / 2))
        this.uncertainTokens.delete(oldest)
  }
}
