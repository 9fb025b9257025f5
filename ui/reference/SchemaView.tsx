// A schema as a tree that opens on demand: schemas may contain themselves.
import { useState } from 'preact/hooks'
import { resolve, type Schema } from './documents.ts'
import { Prose } from './Prose.tsx'
import { constraintText, type Part, partsOf, typeText } from './schemaText.ts'

export function SchemaView({ document, schema }: { document: unknown; schema: Schema }) {
  const parts = partsOf(document, schema)
  return (
    <div class="schema">
      <p>
        <code>{typeText(document, schema)}</code> <Words document={document} schema={schema} />
      </p>
      {parts.length > 0 && <Parts document={document} parts={parts} />}
    </div>
  )
}

const Parts = ({ document, parts }: { document: unknown; parts: readonly Part[] }) => (
  <ul>
    {parts.map((part, i) => (
      // Two forms may have the same name
      <li key={`${i} ${part.name}`}>
        <PartView document={document} part={part} />
      </li>
    ))}
  </ul>
)

function PartView({ document, part: { name, schema, isRequired } }: { document: unknown; part: Part }) {
  const [isOpen, setOpen] = useState(false)
  const parts = isOpen ? partsOf(document, schema) : []
  const line = (
    <>
      <b>{name}</b>
      {isRequired && <small> needed</small>} <code>{typeText(document, schema)}</code>{' '}
      <Words document={document} schema={schema} />
    </>
  )
  if (partsOf(document, schema).length === 0) return <p>{line}</p>
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{line}</summary>
      {isOpen && <Parts document={document} parts={parts} />}
    </details>
  )
}

function Words({ document, schema }: { document: unknown; schema: Schema }) {
  const meant = resolve<Schema>(document, schema) ?? schema
  const bounds = constraintText(meant)
  return (
    <small>
      {bounds}
      {bounds !== '' && typeof meant.description === 'string' && '; '}
      {typeof meant.description === 'string' && <Prose of={meant.description} />}
    </small>
  )
}
