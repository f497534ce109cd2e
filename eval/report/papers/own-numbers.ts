import { columnParts, type PublishedTable } from '../../benchmarks/published.ts'
import type { OwnResult } from './own-result.ts'
import { shownAs } from './printed-decimals.ts'

// Our official number for a column of a published table, with as many decimals as the source prints there.
export function ownNumber(own: OwnResult, table: PublishedTable, key: string): string | undefined {
  const value = belongsTo(own, table, key) ? officialValue(own, key) : undefined
  return value === undefined ? undefined : shownAs(table, key, value)
}

function belongsTo({ benchmark }: OwnResult, table: PublishedTable, key: string): boolean {
  return benchmark === (columnParts(key).benchmark ?? table.benchmark)
}

// What a judge by words decided is never put where the judge of the protocol decides.
export function isGradedByWords({ byWords }: OwnResult, key: string): boolean {
  return !columnParts(key).group?.startsWith(judgeColumn) && byWords.includes(columnParts(key).metric)
}

export function isUnjudgedColumn(own: OwnResult, table: PublishedTable, key: string): boolean {
  return belongsTo(own, table, key) && own.unjudged.includes(columnParts(key).metric)
}

export function officialValue({ metrics, groups, judges }: OwnResult, key: string): number | undefined {
  const { group, metric } = columnParts(key)
  if (group === undefined) return metrics[metric] ?? undefined
  if (group.startsWith(judgeColumn)) {
    const judge = Object.keys(judges).find(name => isModel(name, group.slice(judgeColumn.length)))
    return judge === undefined ? undefined : (judges[judge]?.[metric] ?? undefined)
  }
  for (const { values } of groups) {
    const value = values[group]?.[metric]
    if (value !== undefined) return value
  }
  return undefined
}

// A column of what one judge gave: "judge GPT-4o.score".
const judgeColumn = 'judge '

// Whether "openai/gpt-4o-2024-08-06" is the "GPT-4o" of a table: size, date and the like may follow, another model may not.
function isModel(name: string, printed: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')
  const [model, wanted] = [plain(name.split('/').at(-1) ?? ''), plain(printed)]
  return (
    model.startsWith(wanted) &&
    /^(?:20\d{6}|\d+b|instruct|flash|pro|latest|it|\d{3})*$/.test(model.slice(wanted.length))
  )
}
