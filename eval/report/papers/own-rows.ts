import type { PublishedTable } from '../../benchmarks/published.ts'
import { type MadeSet, reviewShares } from '../../data/benchmark-json.ts'
import type { JudgeMode } from '../../protocols/judge/protocol.ts'
import type { JudgeStudy, KeptAgreement } from '../../runner/files/kept-agreement.ts'
import { shownAs } from './printed-decimals.ts'

// What rows of ours are made from in tables that are not of scores.
export interface OwnSources {
  agreements: readonly KeptAgreement[] // of people and judges, over answers of runs
  sets: readonly { name: string; set: MadeSet }[] // that people reviewed
}

// A row of ours in such a table: a judge beside people, or what people said of a kind of question.
export interface OwnRow {
  name: string
  settings: Record<string, string>
  cells: Record<string, string> // of the columns that it has
  words: Record<string, string> // of columns where a judge by words stands in for a model
  notes: string[]
}

export function ownRows(table: PublishedTable, { agreements, sets }: OwnSources): OwnRow[] {
  const studied = agreements.filter(({ benchmark }) => benchmark === table.benchmark)
  if (table.own === 'people') return studied.flatMap(kept => kept.judges.map(study => besidePeople(table, kept, study)))
  if (table.own === 'judge modes')
    return studied.flatMap(kept => kept.judges.flatMap(study => inItsMode(table, kept, study) ?? []))
  if (table.own === 'review')
    return sets.flatMap(({ name, set }) => (set.recipe === table.benchmark ? reviewed(table, name, set) : []))
  return []
}

// As VideoEval-Pro's Table 5: kappa in pairs and accuracies, people and their majority by the paper's letters.
function besidePeople(table: PublishedTable, kept: KeptAgreement, study: JudgeStudy): OwnRow {
  const letterOf = (name: string) => {
    const kind = study.raters.find(rater => rater.name === name)?.kind
    if (kind === 'majority') return 'MV'
    return kind === 'judge' ? 'LLM' : `R${kept.people.indexOf(name) + 1}`
  }
  const values = {
    ...Object.fromEntries(
      study.pairs.map(({ a, b, kappaRight }) => [`${letterOf(a)}-${letterOf(b)}.kappa`, kappaRight.value]),
    ),
    ...Object.fromEntries(study.raters.map(({ name, accuracy }) => [`${letterOf(name)}.judged`, accuracy.value])),
  }
  const cells = formatCells(table, values)
  const isWords = study.judge === 'words'
  const ofJudge = (is: boolean) =>
    Object.fromEntries(Object.entries(cells).filter(([key]) => (isWords && key.startsWith('LLM')) === is))
  const people = kept.people.length
  return {
    name: `${formatRuns(kept)}, ${study.judge}`,
    settings: {},
    cells: ofJudge(false),
    words: ofJudge(true),
    notes: [
      over(kept, study),
      'kappa of right against not right',
      ...(people > 1 ? ['answers on which the votes are even have no majority'] : []),
      ...(people > 3 ? [`R1 to R3 are the first of ${people} people, the majority is that of all`] : []),
    ],
  }
}

const modeNames: Record<JudgeMode, string> = {
  text: 'GT',
  vision: 'Vis',
  'text+vision': 'GT+Vis',
  heuristic: 'Ours',
}

// As CG-Bench's Table 5: what a mode of a judge gives more or less than people, what it takes, and when it asks for the picture.
function inItsMode(table: PublishedTable, kept: KeptAgreement, study: JudgeStudy): OwnRow | undefined {
  const { judge, mode, raters, pairs, seconds, money, pictures } = study
  if (mode === undefined) return undefined
  const of = (kind: string) => raters.find(rater => rater.kind === kind)?.name
  const reference = of('majority') ?? of('person')
  const bias = pairs.find(({ a, b }) => a === judge && b === reference)?.bias.value
  const share = (part: number, whole: number) => (whole === 0 ? undefined : (100 * part) / whole)
  const cells = formatCells(table, {
    bias: typeof bias === 'number' ? Math.abs(bias) : undefined,
    seconds,
    price: money,
    ...(pictures && {
      trigger: share(pictures.asked, pictures.of),
      recall: share(pictures.found, pictures.needed),
    }),
  })
  return {
    name: `${modeNames[mode]}, ${formatRuns(kept)}, ${judge}`,
    settings: {},
    cells,
    words: {},
    notes: [
      over(kept, study),
      'time and price are of these answers together',
      ...(pictures
        ? [
            `asked for the picture in ${pictures.asked} of ${pictures.of}, ${pictures.found} of ${pictures.needed} needed`,
          ]
        : []),
    ],
  }
}

function formatRuns({ runs }: KeptAgreement): string {
  return runs.length === 1 ? (runs[0] ?? '') : `${runs.length} runs`
}

function over({ runs, people }: KeptAgreement, { answers }: JudgeStudy): string {
  const raters = people.length === 1 ? 'one person' : `${people.length} people`
  return `${answers} answers of ${runs.join(', ')} that the judge and ${raters} graded`
}

// As InfiniBench's Table 10: a row for each kind of question that somebody has seen.
function reviewed(table: PublishedTable, name: string, { reviewed: { outcomes = {} } }: MadeSet): OwnRow[] {
  return table.rows.flatMap(({ model }): OwnRow[] => {
    const { shown, fixed, valid } = reviewShares(outcomes[table.parts[model] ?? ''] ?? {})
    if (shown === 0) return []
    return [
      {
        name: `${model}, ${name}`,
        settings: { questions: String(shown) },
        cells: formatCells(table, { valid: (100 * valid) / shown }),
        words: {},
        notes: [
          'whole questions of a set made from own videos, as people reviewed them',
          ...(fixed > 0 ? [`${fixed} that they fixed count as valid`] : []),
        ],
      },
    ]
  })
}

function formatCells(table: PublishedTable, values: Record<string, number | null | undefined>): Record<string, string> {
  return Object.fromEntries(
    table.columns.flatMap(({ key }) => {
      const value = values[key]
      return typeof value === 'number' ? [[key, shownAs(table, key, value)]] : []
    }),
  )
}
