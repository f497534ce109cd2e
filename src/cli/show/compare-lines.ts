import type { Comparison } from '../../core/api/compare.ts'
import { formatSpan } from '../../core/time.ts'
import { visibleLine, visibleText } from '../../core/words/visible-text.ts'
import type { Terminal } from '../terminal.ts'
import { alignColumns } from './format.ts'

const maxCell = 56 // characters of a step

type Line = Comparison['steps'][number]['a']

// Two runs side by side as a person reads them, the first difference marked.
export function compareLines(found: Comparison, { bold, dim }: Pick<Terminal, 'bold' | 'dim'>): string[] {
  const { a, b, same, settings, steps, divergence, cited } = found
  const rows = steps.map((pair, at) => [
    pair.same ? '=' : '≠',
    cell(pair.a),
    cell(pair.b),
    divergence?.at === at ? '<- first divergence' : '',
  ])
  return [
    ...alignColumns([
      ['A', a.id, visibleLine(a.name)],
      ['B', b.id, visibleLine(b.name)],
    ]),
    dim(`same question: ${word(same.question)}, same video: ${word(same.video)}, same index: ${word(same.index)}`),
    ...settings.map(one => `${one.setting}: A ${value(one.a)}, B ${value(one.b)}`),
    '',
    ...alignColumns([['', 'A', 'B', ''], ...rows]),
    '',
    bold(divergenceLine(divergence)),
    `Answer A: ${visibleText(a.answer?.text ?? 'none')}`,
    `Answer B: ${visibleText(b.answer?.text ?? 'none')}`,
    `Cited by both ${cited.both.length}, only by A ${cited.onlyA.length}, only by B ${cited.onlyB.length}`,
    ...cited.onlyA.map(row => dim(`  A ${rowLine(row)}`)),
    ...cited.onlyB.map(row => dim(`  B ${rowLine(row)}`)),
  ]
}

function divergenceLine(divergence: Comparison['divergence']): string {
  if (!divergence) return 'No divergence: both went alike.'
  const { kind, ended, a, b } = divergence
  const divergenceText = `First divergence at step ${(a ?? b)?.step}: ${kind}`
  if (ended)
    return `${divergenceText}; ${ended.toUpperCase()} has no step there, ${ended === 'a' ? 'B' : 'A'} has ${cell(a ?? b)}.`
  return `${divergenceText}; A ${cell(a)}, B ${cell(b)}.`
}

function cell(line: Line): string {
  if (!line) return ''
  const { node, tool, input, outcome, evidence } = line
  if (tool === undefined) return node
  const outcomeText = outcome === 'found' ? `found ${evidence.length}` : outcome
  return `${cut(visibleLine(`${tool} ${JSON.stringify(input) ?? ''}`))} ${outcomeText}`
}

function cut(text: string): string {
  return text.length > maxCell ? `${text.slice(0, maxCell - 1)}…` : text
}

function word(same: boolean | undefined): string {
  return same === undefined ? 'not known' : same ? 'yes' : 'no'
}

function value(given: unknown): string {
  return given === undefined ? 'not set' : visibleLine(JSON.stringify(given))
}

function rowLine({ span, track, text }: Comparison['cited']['both'][number]): string {
  return `${formatSpan(span)} ${track}: ${cut(visibleLine(text))}`
}
