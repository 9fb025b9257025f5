// Two ports that are one: the second could not be taken, and its refusal would blame another program.
type Given = Readonly<Record<string, string | undefined>>

const everywhere: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** A line if both are the same port of the same address. */
export function onePort({
  PORT = '8080',
  HOST = '127.0.0.1',
  CROSSBOOK_OPERATIONS_PORT: second,
  CROSSBOOK_OPERATIONS_HOST: host = '127.0.0.1',
}: Given): string[] {
  const meet = HOST === host || HOST === 'localhost' || everywhere.has(HOST) || everywhere.has(host)
  if (second === undefined || !meet || Number(second) === 0 || Number(second) !== Number(PORT)) return []
  return [`CROSSBOOK_OPERATIONS_PORT: is ${Number(second)}, as PORT is: a gateway needs both`]
}
