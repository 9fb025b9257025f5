// Pure text processing between the ClickHouse HTTP interface and the embedded engine: parameters, settings, inserts with a
// body.

/** Settings known only to a server's HTTP layer; the engine would reject them. */
const httpOnlySettings = new Set([
  'wait_end_of_query',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'http_response_buffer_size',
  'http_write_exception_in_output_format',
  'http_send_timeout',
  'http_receive_timeout',
  'enable_http_compression',
  'cancel_http_readonly_queries_on_client_close',
  'buffer_size',
])

export const isEngineSetting = (name: string): boolean => !httpOnlySettings.has(name)

const quote = (text: string): string => `'${text.replace(/[\\']/g, (sign) => `\\${sign}`)}'`

/** The name of a table or a database. */
export const quoteName = (name: string): string => `\`${name.replace(/[\\`]/g, (sign) => `\\${sign}`)}\``

const escapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', '0': '\0' }

/** Undoes the tab-separated escaping of `param_…` values. */
const unescapeParameter = (text: string): string => text.replace(/\\(.)/gs, (_, sign: string) => escapes[sign] ?? sign)

function literalOf(raw: string, type: string): string {
  if (raw === '\\N') return 'NULL'
  if (/^U?Int(8|16|32|64)$/.test(type) && /^-?\d{1,20}$/.test(raw)) return raw
  if (type === 'String') return quote(unescapeParameter(raw))
  if (type === 'Identifier') return quoteName(raw)
  return `CAST(${quote(raw)} AS ${type})`
}

/** Quoted texts, quoted names and comments pass untouched; the last group is a placeholder. */
const sqlPieces =
  /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|--[^\n]*|\/\*[\s\S]*?\*\/|\{\s*([A-Za-z_]\w*)\s*:\s*([^{}]+?)\s*\}/g

/**
 * Replaces `{name:Type}` placeholders with literals. The engine's own binding is shared by all its connections and
 * mixes up concurrent queries (chdb 3.4).
 */
export function bindParameters(sql: string, parameters: ReadonlyMap<string, string>): string {
  return sql.replace(sqlPieces, (piece: string, name: string | undefined, type: string | undefined) => {
    if (name === undefined || type === undefined) return piece
    const raw = parameters.get(name)
    if (raw === undefined) throw new SqlError(456, `Substitution \`${name}\` is not set`, 'UNKNOWN_QUERY_PARAMETER')
    return literalOf(raw, type)
  })
}

/** `a = 1, b = 'x'`; empty without settings. */
export function settingsText(settings: ReadonlyMap<string, string>): string {
  const parts: string[] = []
  for (const [name, value] of settings) {
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new SqlError(115, `Unknown setting '${name}'`, 'UNKNOWN_SETTING')
    parts.push(`${name} = ${/^-?\d+(\.\d+)?$/.test(value) ? value : quote(value)}`)
  }
  return parts.join(', ')
}

/** Settings are part of the statement: a `SET` would stay on the connection and affect the next query. */
export function withSettings(sql: string, settings: string): string {
  const bare = sql.replace(/[\s;]+$/, '')
  return settings === '' || !isReading(sql) ? bare : `${bare} SETTINGS ${settings}`
}

export const isReading = (sql: string): boolean => /^[\s(]*(SELECT|WITH|SHOW|DESCRIBE|DESC|EXISTS|EXPLAIN)\b/i.test(sql)

/** The engine streams the rows of a query, and refuses to stream statements that describe something. */
export const isStreamable = (sql: string): boolean => /^[\s(]*(SELECT|WITH)\b/i.test(sql)

const wholeFormats = /^([\s\S]+?)\s+FORMAT\s+(Parquet|Arrow|ORC)\s*;?\s*$/i

/**
 * A query whose answer is one whole file; null for any other. When streaming, the engine would end such a file at every block and begin
 * another.
 */
export function selectIntoFile(sql: string, file: string, settings: string): string | null {
  const match = isStreamable(sql) ? wholeFormats.exec(sql) : null
  if (match === null) return null
  const [, select, format] = match as unknown as [string, string, string]
  const joint = /\bSETTINGS\s+[^()]*$/i.test(select) ? ', ' : ' SETTINGS '
  return `INSERT INTO FUNCTION file(${quote(file)}, ${quote(format)}) ${select}${settings === '' ? '' : joint + settings}`
}

const insertWithFormat = /^\s*(INSERT\s+INTO\s+[\s\S]+?)(?:\s+SETTINGS\s+([\s\S]+?))?\s+FORMAT\s+(\w+)\s*;?\s*$/i

/** An insert whose rows are in a file; null when `sql` is not `INSERT … FORMAT x`. Binary rows cannot be part of the text. */
export function insertFromFile(sql: string, file: string, settings: string): string | null {
  const match = insertWithFormat.exec(sql)
  if (match === null) return null
  const all = [match[2], settings].filter((part) => part !== undefined && part !== '').join(', ')
  const chosen = (match[1] as string).replace(
    /\bFROM\s+input\(/i,
    `FROM file(${quote(file)}, ${quote(match[3] as string)}, `,
  )
  if (chosen !== match[1]) return `${chosen}${all === '' ? '' : ` SETTINGS ${all}`}`
  return `${match[1]} FROM INFILE ${quote(file)}${all === '' ? '' : ` SETTINGS ${all}`} FORMAT ${match[3]}`
}

/** Carries a ClickHouse error number for the interface's `X-ClickHouse-Exception-Code`. */
export class SqlError extends Error {
  readonly code: number

  constructor(code: number, message: string, type: string) {
    super(`Code: ${code}. DB::Exception: ${message}. (${type})`)
    this.code = code
  }
}

export function errorCodeOf(message: string): number {
  const match = /Code:\s*(\d+)/.exec(message)
  return match === null ? 1002 : Number(match[1])
}
