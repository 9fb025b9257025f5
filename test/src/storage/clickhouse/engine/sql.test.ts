import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bindParameters,
  errorCodeOf,
  insertFromFile,
  isReading,
  settingsText,
  withSettings,
} from '#storage/clickhouse/engine/sql'

const bind = (sql: string, parameters: Record<string, string>) =>
  bindParameters(sql, new Map(Object.entries(parameters)))

describe('parameters', () => {
  test('writes any text parameter as one literal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const travelling = text.replace(
          /[\\\t\n\r']/g,
          (sign) => `\\${{ '\t': 't', '\n': 'n', '\r': 'r' }[sign] ?? sign}`,
        )
        const literal = bind('{a:String}', { a: travelling })
        // Nothing inside may end the literal: no quote is left after removing the escaped characters.
        expect(literal.startsWith("'") && literal.endsWith("'")).toBe(true)
        expect(literal.slice(1, -1).replace(/\\./gs, '')).not.toMatch(/['\\]/)
        expect(literal.slice(1, -1).replace(/\\(.)/gs, '$1')).toBe(text)
      }),
    )
  })

  test('leaves placeholders inside texts, names and comments as they are', () => {
    const sql = 'SELECT \'{a:String}\', "{a:String}", `{a:String}` /* {a:String} */ -- {a:String}\n, {a:String}'
    expect(bind(sql, { a: 'x' })).toBe(sql.replace(/, \{a:String\}$/, ", 'x'"))
  })

  test('casts a numeric parameter that is not a number', () => {
    expect(bind('LIMIT {n:UInt32}', { n: '5' })).toBe('LIMIT 5')
    expect(bind('LIMIT {n:UInt32}', { n: '5; DROP TABLE t' })).toBe("LIMIT CAST('5; DROP TABLE t' AS UInt32)")
  })

  test('fails with the server’s error code when a parameter is missing', () => {
    expect(() => bind('{a:String}', {})).toThrow(expect.objectContaining({ code: 456 }))
  })
})

describe('settings and inserts', () => {
  test('adds settings to a reading statement, after its format', () => {
    const settings = settingsText(
      new Map([
        ['max_threads', '1'],
        ['log_comment', "it's"],
      ]),
    )
    expect(withSettings('SELECT 1 FORMAT JSONEachRow;\n', settings)).toBe(
      "SELECT 1 FORMAT JSONEachRow SETTINGS max_threads = 1, log_comment = 'it\\'s'",
    )
    expect(withSettings('CREATE TABLE t (a UInt8) ENGINE = Memory', settings)).not.toContain('SETTINGS')
  })

  test('rejects an invalid setting name', () => {
    expect(() => settingsText(new Map([['a = 1, b', '2']]))).toThrow(expect.objectContaining({ code: 115 }))
  })

  test('reads the rows of an insert from a file and keeps its own settings', () => {
    expect(insertFromFile('INSERT INTO t (a, b) FORMAT RowBinary', '/x/y', "insert_deduplication_token = 'k'")).toBe(
      "INSERT INTO t (a, b) FROM INFILE '/x/y' SETTINGS insert_deduplication_token = 'k' FORMAT RowBinary",
    )
    expect(insertFromFile('INSERT INTO t SETTINGS a = 1 FORMAT CSV', '/x', 'b = 2')).toBe(
      "INSERT INTO t FROM INFILE '/x' SETTINGS a = 1, b = 2 FORMAT CSV",
    )
    expect(insertFromFile('INSERT INTO t SELECT 1', '/x', '')).toBeNull()
  })

  test('distinguishes reading statements from writing ones', () => {
    for (const sql of ['SELECT 1', ' (SELECT 1) UNION ALL (SELECT 2)', 'with 1 AS a SELECT a', 'EXPLAIN SELECT 1'])
      expect(isReading(sql)).toBe(true)
    for (const sql of ['INSERT INTO t SELECT 1', 'CREATE TABLE t', 'DROP TABLE selected'])
      expect(isReading(sql)).toBe(false)
  })

  test('reads the error code from the message', () => {
    expect(errorCodeOf('Code: 60. DB::Exception: no table. (UNKNOWN_TABLE)')).toBe(60)
    expect(errorCodeOf('something else')).toBe(1002)
  })
})
