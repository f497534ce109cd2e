import { formatTime } from '../../../src/core/time.ts'
import { markdownText } from '../../../src/core/words/markdown-text.ts'
import { type MadeSet, type Reviewed, reviewShares } from '../../data/benchmark-json.ts'
import { wilson } from '../../metrics/statistics/accuracy.ts'
import type { DraftItem, SourceRecord } from '../../recipes/item.ts'
import type { MakeRecipe } from '../../recipes/recipe.ts'
import type { Rejected } from '../machine/run-checks.ts'
import { ladderLine } from './ladder.ts'

export interface ToCard {
  recipe: MakeRecipe
  set: MadeSet
  items: readonly DraftItem[]
  records: readonly SourceRecord[]
  rejected: readonly Pick<Rejected, 'video' | 'check'>[]
  flags: readonly Rejected[]
  warnings: readonly string[]
  licence?: string
}

// README.md of a set: what it is made of and by whom, what was thrown away, what was not checked and what is not known.
export function writeSetCard(card: ToCard): string {
  const { recipe, set, items, records, flags, warnings } = card
  const hours = records.reduce((sum, { statistics }) => sum + statistics.duration, 0)
  const { counts } = set
  const ids = new Set(items.map(({ id }) => id)) // a flagged item may be gone: another check or a person was against it
  return `${[
    ...metadata(set),
    `# A ${recipe.name} set made from own videos`,
    '',
    set.reviewed.items === 0 && '**Unreviewed draft**: no person has seen these questions yet.',
    '',
    '## Contents',
    ...list({
      Videos: `${records.length}, ${formatTime(hours)} in all`,
      Questions: `${items.length} of ${counts.drafted} drafted`,
      Chance: `${(100 * computeChance(items)).toFixed(2)} %`,
      Power: describePower(items.length, records.length),
      Recipe: `${set.recipe}, version ${set.recipeVersion}, seed ${set.seed}`,
      Reviewed: `${set.reviewed.items} of ${set.reviewed.of ?? items.length}`,
      Agreement: agreementLine(set.reviewed),
      ...(recipe.byTimes && { Certificates: certificateLine(set.reviewed) }),
      'Human row': humanLine(set.reviewed),
      Ladder: ladderLine(set.ladder),
      Licence: markdownText(set.licence),
    }),
    '',
    ...reviewLines(set.reviewed),
    '## Models',
    ...table(
      ['role', 'here', 'in the paper'],
      Object.entries(set.roles).map(([role, by]) => {
        const here = Array.isArray(by) ? by.join(', ') || 'off' : by
        return [role, markdownText(here), recipe.paperModels[role as keyof typeof recipe.paperModels] ?? '-']
      }),
    ),
    '',
    '## Prompts',
    ...promptLines(set),
    '',
    '## Funnel',
    `${counts.kept} kept + ${counts.drafted - counts.kept} rejected = ${counts.drafted} drafted`,
    '',
    ...funnel(card),
    '',
    ...withoutPicturesLines(set),
    '## Filters not run',
    ...(set.notRun.length > 0 ? set.notRun.map(line => `- ${line}`) : ['- none: all were run']),
    '',
    '## Videos',
    ...table(
      ['video', 'length', 'source', 'licence'],
      records.map(({ video, statistics, meta: { source = 'not stated', licence = card.licence ?? 'not stated' } }) =>
        [video, formatTime(statistics.duration), source, licence].map(markdownText),
      ),
    ),
    '',
    '## Known gaps',
    ...[
      ...(recipe.gaps?.(records, set.roles.author === 'rules') ?? []),
      ...(recipe.mp4Alone ? unreadVideos(records) : []),
      ...warnings,
      ...flags.flatMap(({ item, check, detail }) => (ids.has(item) ? `${item}: ${check}: ${detail}` : [])),
    ].map(line => `- ${markdownText(line)}`),
    '- Numbers on this set are never shown beside published ones: its videos and questions are others.',
    '',
    set.canary,
  ]
    .filter(line => line !== false)
    .join('\n')}\n`
}

// By which the hub's own loader takes the annotations and not whatever JSON lies in the folder. If there are several files, the tools
// read each by its name.
function metadata({ annotations: [path, ...others] }: MadeSet): string[] {
  if (path === undefined || others.length > 0) return []
  const files = ['  data_files:', '  - split: test', `    path: ${JSON.stringify(path)}`]
  return ['---', 'configs:', '- config_name: default', ...files, '---', '']
}

function unreadVideos(records: readonly SourceRecord[]): string[] {
  const otherVideos = records.filter(({ video }) => !video.endsWith('.mp4')).map(({ video }) => video)
  return otherVideos.length > 0
    ? [`The released tools read only videos that end in .mp4, and not ${otherVideos.join(', ')}.`]
    : []
}

function table(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(header), `|${header.map(() => '---').join('|')}|`, ...rows.map(line)]
}

function list(values: Record<string, string>): string[] {
  return Object.entries(values).map(([name, value]) => `- ${name}: ${value}`)
}

function agreementLine({ twice = 0, kappa, alpha }: Reviewed): string {
  if (twice === 0) return 'not measured'
  const value = (of: number | null | undefined) =>
    typeof of === 'number' ? of.toFixed(2) : 'undefined, as all said the same'
  return `kappa ${value(kappa)}, alpha ${value(alpha)} (keep against the rest) on ${twice} questions seen by two or more`
}

// How much of a video has to be seen for an answer.
function certificateLine({ certificates }: Reviewed): string {
  if (!certificates || certificates.questions === 0) return 'not measured: no person has said when'
  const { questions, pieces, seconds } = certificates
  return `${pieces.toFixed(2)} stretches and ${seconds.toFixed(2)} s on average, of ${questions} questions with times of people`
}

// Of the questions that are in the set as people saw them.
function humanLine({ humanOfSet: human }: Reviewed): string {
  if (!human || human.answered + human.marked === 0) return 'not measured'
  const { accuracy = 0, right, answered, mIoU, marked } = human
  return [
    ...(answered > 0 ? [`${accuracy.toFixed(1)} % (${right} of ${answered}) before the key was seen`] : []),
    ...(mIoU === undefined ? [] : [`mIoU ${mIoU.toFixed(1)} on ${marked} clues`]),
  ].join('; ')
}

// What people said of each kind, and how much of what they saw is valid.
function reviewLines({ outcomes: kinds, reasons = {}, seconds = 0 }: Reviewed): string[] {
  if (!kinds) return []
  const row = (name: string, counts: Record<string, number>) => {
    const { shown, kept, fixed, dropped, open, valid } = reviewShares(counts)
    return [name, shown, kept, fixed, dropped, open, shown > 0 ? `${((100 * valid) / shown).toFixed(2)} %` : '-']
  }
  const all: Record<string, number> = {}
  for (const counts of Object.values(kinds))
    for (const [outcome, count] of Object.entries(counts)) all[outcome] = (all[outcome] ?? 0) + count
  const droppedFor = Object.entries(reasons).map(([reason, count]) => `${reason} ${count}`)
  return [
    '## Review by people',
    ...table(
      ['kind', 'shown', 'kept', 'fixed', 'dropped', 'seen by nobody', 'valid'],
      [...Object.entries(kinds), ['all', all] as const].map(([kind, counts]) => row(kind, counts)),
    ),
    '',
    `- Dropped for: ${droppedFor.join(', ') || 'nothing'}`,
    `- Time spent: ${formatTime(seconds)}`,
    '',
  ]
}

// How well models did without the pictures, by kind, of what they were asked and of what all filters left.
function withoutPicturesLines({ filters }: MadeSet): string[] {
  const rows = filters.flatMap(({ name, accuracy = {} }) =>
    Object.entries(accuracy).map(([kind, { asked, before, kept, after }]) => {
      const percent = after === null ? '-' : `${after.toFixed(2)} %`
      return [name, kind, asked, `${before.toFixed(2)} %`, kept, percent]
    }),
  )
  if (rows.length === 0) return []
  const header = ['filter', 'kind', 'asked', 'right before', 'kept', 'right after']
  return ['## Right without the pictures', ...table(header, rows), '']
}

function promptLines({ prompts }: MadeSet): string[] {
  const lines = Object.entries(prompts).map(([name, { sha256, released, own }]) => {
    const whose = released ? 'the released wording' : own ? "a person's own wording" : 'a wording of ours'
    return `- ${name}: ${sha256}, ${whose}`
  })
  return lines.length > 0 ? lines : ['- none: no model wrote']
}

function computeChance(items: readonly Pick<DraftItem, 'options'>[]): number {
  const counts = items.flatMap(({ options }) => (options ? [1 / options.length] : []))
  return counts.length > 0 ? counts.reduce((sum, one) => sum + one, 0) / counts.length : 0
}

function describePower(questions: number, videos: number): string {
  if (questions === 0) return 'no question'
  const { low, high } = wilson(0.5, questions)
  const half = Math.ceil((100 * (high - low)) / 2)
  return `${questions} questions on ${videos} videos: intervals of +-${half} points and more`
}

// Per video: what was drafted, what each check took, what was kept.
function funnel({ items, records, rejected }: ToCard): string[] {
  const checks = [...new Set(rejected.map(({ check }) => check))].sort()
  const rows = records.map(({ video_id }) => {
    const videoRejections = rejected.filter(({ video }) => video === video_id)
    const keptCount = items.filter(({ video }) => video === video_id).length
    const by = checks.map(check => videoRejections.filter(one => one.check === check).length)
    return [markdownText(video_id), keptCount + videoRejections.length, ...by, keptCount]
  })
  return table(['video', 'drafted', ...checks, 'kept'], rows)
}
