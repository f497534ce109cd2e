import { UsageError } from '../../../src/core/errors.ts'
import { type AblationChange, changeName } from '../../runner/changes/change.ts'
import { faultAxis, readFaults } from '../../runner/changes/fault.ts'
import type { AblationFile } from './ablation-file.ts'
import {
  type KnownNames,
  readGraphs,
  readJudgeModes,
  readOption,
  readOracles,
  readSet,
  readSwap,
  readWithout,
} from './read-changes.ts'

// A configuration that is measured. The base is the row without a change.
export interface MatrixRow {
  id: string // also the name of its folder
  name: string
  changes: AblationChange[]
}

// Something of each row, that of the base first.
export type BaseFirst<T> = [base: T, ...others: T[]]

export function mapRows<T, U>([base, ...others]: Readonly<BaseFirst<T>>, to: (of: T) => U): BaseFirst<U> {
  return [to(base), ...others.map(to)]
}

export const baseId = 'base'
const maxRows = 500

// What one flag or one entry of the file offers beside the base: a factorial study takes one level of each axis.
type Axis = AblationChange[][]

type Matrix = Pick<
  AblationFile,
  'design' | 'without' | 'swap' | 'set' | 'option' | 'graph' | 'judgeMode' | 'oracle' | 'fault' | 'rows'
>

// The rows of a study, the base first. Equal rows are one.
export function readMatrixRows(matrix: Matrix, known: KnownNames): BaseFirst<MatrixRow> {
  const axes = buildAxes(matrix, known)
  const levels = matrix.design === 'full' ? product(axes) : axes.flat()
  const rows = [...levels.map(changes => ({ changes })), ...matrix.rows.map(row => ownRow(row, known))]
  if (rows.length === 0)
    throw new UsageError('Nothing is changed, so there is nothing to compare.', {
      hint: 'Name changes: --without, --swap, --set, --option, --graph, --judge-mode, --oracle, --fault, or --matrix FILE.',
    })
  if (rows.length > maxRows)
    throw new UsageError(`Too many rows: ${rows.length} (max ${maxRows}).`, { hint: 'Name fewer changes.' })
  return named(rows)
}

function buildAxes(matrix: Matrix, known: KnownNames): Axis[] {
  const single = (changes: AblationChange[]): Axis => changes.map(change => [change])
  const faults = new Map<string, Axis>()
  for (const fault of matrix.fault.flatMap(text => readFaults(text, known.tools)))
    faults.set(faultAxis(fault), [...(faults.get(faultAxis(fault)) ?? []), [{ kind: 'fault', fault }]])
  return [
    ...matrix.without.flatMap(text => readWithout(text, known).map((changes): Axis => [changes])),
    ...Object.entries(matrix.swap).map(([role, names]) => single(readSwap(`${role}=${names.join(',')}`, known))),
    ...Object.entries(matrix.set).map(([key, values]) =>
      single(values.map(value => ({ kind: 'set', key, value: String(value) }))),
    ),
    ...Object.entries(matrix.option).map(([name, values]) => single(readOption(`${name}=${values.join(',')}`))),
    ...(matrix.graph.length > 0 ? [single(matrix.graph.flatMap(text => readGraphs(text, known)))] : []),
    ...(matrix.judgeMode.length > 0 ? [single(matrix.judgeMode.flatMap(readJudgeModes))] : []),
    ...matrix.oracle.flatMap(text => readOracles(text).map((change): Axis => [[change]])),
    ...faults.values(),
  ]
}

// Every combination of one level or none of each axis, without the one of none at all.
function product(axes: readonly Axis[]): AblationChange[][] {
  let combined: AblationChange[][] = [[]]
  for (const axis of axes) {
    combined = combined.flatMap(changes => [changes, ...axis.map(level => [...changes, ...level])])
    if (combined.length > maxRows * 2) break
  }
  return combined.filter(changes => changes.length > 0).sort((a, b) => a.length - b.length)
}

function ownRow(row: Matrix['rows'][number], known: KnownNames): { name: string; changes: AblationChange[] } {
  return {
    name: row.name,
    changes: [
      ...row.without.flatMap(text => readWithout(text, known).flat()),
      ...Object.entries(row.swap).flatMap(([role, backend]) => readSwap(`${role}=${backend}`, known)),
      ...Object.entries(row.set).flatMap(([key, value]) => readSet(`${key}=${value}`)),
      ...Object.entries(row.option).flatMap(([name, value]) => readOption(`${name}=${value}`)),
      ...(row.graph === undefined ? [] : readGraphs(row.graph, known)),
      ...(row.judgeMode === undefined ? [] : readJudgeModes(row.judgeMode)),
      ...row.oracle.flatMap(text => readOracles(text)),
      ...row.fault.flatMap(text =>
        readFaults(text, known.tools).map((fault): AblationChange => ({ kind: 'fault', fault })),
      ),
    ],
  }
}

// A row cannot have two values of one thing.
function checkRow(name: string, changes: readonly AblationChange[]): void {
  const things = changes.flatMap(change => {
    if (change.kind === 'set') return [change.key]
    if (change.kind === 'option') return [`the option ${change.name}`]
    if (change.kind === 'swap') return [`the role ${change.role}`]
    if (change.kind === 'graph') return ['the graph']
    if (change.kind === 'judge-mode') return ['the judge mode']
    return change.kind === 'fault' ? [`the fault ${faultAxis(change.fault)}`] : []
  })
  const twice = things.find((thing, at) => things.indexOf(thing) !== at)
  if (twice) throw new UsageError(`The row "${name}" sets ${twice} twice.`, { hint: 'Make two rows of it.' })
}

function named(rows: readonly { name?: string; changes: AblationChange[] }[]): BaseFirst<MatrixRow> {
  const matrixRows: BaseFirst<MatrixRow> = [{ id: baseId, name: baseId, changes: [] }]
  const seen = new Set<string>()
  for (const { name, changes } of rows) {
    const words = changes.map(changeName)
    const key = [...words].sort().join(' ')
    if (seen.has(key)) continue
    seen.add(key)
    const rowName = name ?? joined(changes)
    checkRow(rowName, changes)
    const stem = slug(rowName)
    const twins = matrixRows.filter(row => row.id === stem || row.id.startsWith(`${stem}~`)).length
    matrixRows.push({ id: twins === 0 ? stem : `${stem}~${twins + 1}`, name: rowName, changes })
  }
  return matrixRows
}

// "without speech + sound", not "without speech + without sound".
function joined(changes: readonly AblationChange[]): string {
  const without = changes.flatMap(change => (change.kind === 'without' ? [change.name] : []))
  const otherChanges = changes.filter(change => change.kind !== 'without').map(changeName)
  return [...(without.length > 0 ? [`without ${without.join('+')}`] : []), ...otherChanges].join(', ')
}

function slug(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9.+=]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
  return (plain || 'row').slice(0, 80)
}
