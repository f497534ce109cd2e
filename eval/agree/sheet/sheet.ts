import { groupBy } from '../../../src/core/basics/group-by.ts'
import { random as randomFrom } from '../../../src/core/basics/numbers.ts'
import { csvText } from '../../../src/core/words/csv-cell.ts'
import { scales } from '../../protocols/judge/scale.ts'
import type { Item } from '../judged-run.ts'

const columns = [
  'reply',
  'id',
  'step',
  'question',
  'reference',
  'answer',
  'about',
  'choices',
  'verdict',
  'rater',
  'note',
]
export type SheetRow = Record<(typeof columns)[number], string>

// Answers for people to judge, as evenly as it goes from each model and type, in an order that tells neither. An answer is
// known again by the hash of its words: the sheet has no name of a run, a model or a judge.
export function sampleItems(items: readonly Item[], count: number, seed: number): Item[] {
  const random = randomFrom(seed)
  const sheetItems = items.filter(({ answer, run, step }) => isAsked(run.benchmark.judge.verdicts(answer.sample), step))
  const strata = [...groupBy(sheetItems, nameStratum).values()].map(stratum => shuffled(stratum, random))
  const chosen: Item[] = []
  for (let round = 0; chosen.length < Math.min(count, sheetItems.length); round++)
    for (const stratum of shuffled(strata, random)) {
      const item = stratum[round]
      if (item && chosen.length < count) chosen.push(item)
    }
  return shuffled(chosen, random)
}

// The first thing that can be said of an answer; each criterion, where there are several of one kind.
function isAsked(verdicts: { step: string; scale: string }[], step: string): boolean {
  const [first] = verdicts
  return verdicts.some(verdict => verdict.step === step && verdict.scale === first?.scale)
}

function nameStratum({ run, answer }: Item): string {
  return `${run.model}\n${Object.values(answer.sample.groups)[0] ?? ''}`
}

function shuffled<Thing>(things: readonly Thing[], random: () => number): Thing[] {
  const mixed = [...things]
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[mixed[i], mixed[j]] = [mixed[j] as Thing, mixed[i] as Thing]
  }
  return mixed
}

export function sheetRows(items: readonly Item[]): SheetRow[] {
  return items.map(({ answer: { sample, reply, hash }, step, scale, about }) => ({
    reply: hash,
    id: sample.id,
    step,
    question: sample.question.text,
    reference: sample.reference ?? '',
    answer: reply,
    about: about ?? '',
    choices: scales[scale].words.join(' '),
    verdict: '',
    rater: '',
    note: '',
  }))
}

export function sheetCsv(rows: readonly SheetRow[]): string {
  return csvText([columns, ...rows.map(row => columns.map(name => row[name]))])
}
