import type { BackendOutline } from './json-schema.ts'
import { type Outline, outline } from './outline.ts'

// Every setting as a Markdown table, from the schemas themselves; then a table of what each backend takes, once for the
// roles that share their backends.
export function optionTable(backends: Readonly<Record<string, BackendOutline[]>> = {}): string {
  const settingRows = table([...rowsOf(outline(), [])])
  const shared = [...sharedBackends(backends)].map(({ roles, known }) => {
    const rows = known.flatMap(({ name, settings }) => [...rowsOf(settings as Outline, [], `${name}: `)])
    return rows.length === 0
      ? ''
      : `\n\nBackends of ${roles.map(role => `\`models.${role}\``).join(', ')}:\n\n${table(rows)}`
  })
  return settingRows + shared.join('')
}

function table(rows: string[]): string {
  return ['| Setting | Allowed | Default | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function sharedBackends(
  backends: Readonly<Record<string, BackendOutline[]>>,
): Iterable<{ roles: string[]; known: BackendOutline[] }> {
  const groups = new Map<string, { roles: string[]; known: BackendOutline[] }>()
  for (const [role, known] of Object.entries(backends)) {
    const key = JSON.stringify(known)
    const group = groups.get(key)
    if (group) group.roles.push(role)
    else groups.set(key, { roles: [role], known })
  }
  return groups.values()
}

function* rowsOf(at: Outline, path: string[], who = ''): Generator<string> {
  for (const [key, below] of Object.entries(at.properties ?? {})) {
    const here = [...path, key]
    if (below.properties) yield* rowsOf(below, here, who)
    else
      yield `| ${who}\`${here.join('.')}\` | ${allowed(below)} | ${formatValue(below.default)} | ${cell(below.description ?? '')} |`
  }
}

function allowed(at: Outline): string {
  if (at.enum) return at.enum.map(value => `\`${value}\``).join(', ')
  if (at.type === 'boolean') return 'true, false'
  if (at.type === 'object') return 'a section'
  if (at.type === 'string') return 'text'
  if (at.type === 'array') return 'a list'
  if (at.anyOf) return at.anyOf.map(allowed).join(' or ')
  if (at.type !== 'number' && at.type !== 'integer') return [at.type ?? 'anything'].flat().join(' or ')
  const min = at.exclusiveMinimum === undefined ? at.minimum : at.exclusiveMinimum
  const range = [
    min === undefined || min === Number.MIN_SAFE_INTEGER
      ? ''
      : `${at.exclusiveMinimum === undefined ? 'from' : 'above'} ${min}`,
    at.maximum === undefined || at.maximum === Number.MAX_SAFE_INTEGER ? '' : `to ${at.maximum}`,
  ]
  return [at.type === 'integer' ? 'whole number' : 'number', ...range].filter(Boolean).join(' ')
}

function formatValue(value: unknown): string {
  if (value === undefined) return '-'
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
