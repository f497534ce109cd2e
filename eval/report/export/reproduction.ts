import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { differingSettings } from '../../../src/config/layers/differing-settings.ts'
import { selectTaste } from '../../../src/config/layers/found-file.ts'
import { knownOutline } from '../../../src/config/outline.ts'
import type { Config } from '../../../src/config/schema.ts'
import { leavesOf, setAt, type Tree } from '../../../src/config/tree.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { isSelfContained } from '../../../src/runtime/models/role-families.ts'
import { filesBelow } from '../../../src/store/files-below.ts'
import { fileChecksum } from '../../../src/store/models/model-pins.ts'
import type { NewRun } from '../../runner/files/run-files.ts'
import { publicSettings, settingsThatDiffer } from '../../runner/files/run-folder.ts'
import type { Preflight } from '../../runner/preflight.ts'
import { openRunData } from '../reports.ts'
import type { RunReport } from '../run-report.ts'
import type { RunCard } from './card.ts'
import { hashCalls } from './run-card.ts'

// Where the questions of a card lie: as the benchmark finds them, or in files of other names with the same digests, which say no split.
export async function locateData(
  card: RunCard,
  data: string,
  options: Record<string, unknown>, // the card's, with the user's files
  signal: AbortSignal,
): Promise<{ data: string; split?: string }> {
  const { map, questionsHash: dataHash, files } = card.data
  const [split, limit] = [card.split ?? undefined, card.limit ?? undefined]
  const common = { benchmark: card.benchmark, limit, map, options, dataHash }
  const holds = async (where: { data: string; split?: string }) =>
    (await openRunData({ ...common, data: where.data, split: where.split })) !== undefined
  if (await holds({ data, split })) return { data, split }
  const places = new Set<string>()
  for (const path of await filesBelow(data, 6)) {
    const { size } = await stat(path)
    const alike = files.filter(({ bytes }) => bytes === size)
    if (alike.length === 0) continue
    const { sha256 } = await fileChecksum(path, signal)
    if (alike.some(file => file.sha256 === sha256)) places.add(files.length > 1 ? dirname(path) : path)
  }
  for (const path of places)
    for (const where of [{ data: path, split }, { data: path }]) if (await holds(where)) return where
  throw new UsageError(`The ${card.data.questions} questions of the card are not at ${data}.`, {
    hint: `Fetch the data that the card names; the hash of the questions must be ${dataHash.slice(0, 12)}.`,
  })
}

// Of the card's settings that are others here, those that give no power and raise no limit of the user's, as "name=value". The user sets the rest.
export async function harmlessSettings(card: RunCard, settings: Config): Promise<string[]> {
  const differing: Tree = {}
  for (const { setting, a } of differingSettings(card.settings, publicSettings(settings))) {
    const path = setting.split('.')
    if (a !== undefined && knownOutline(path) !== 'unknown') setAt(differing, path, a, 'the card')
  }
  const { values } = await selectTaste(differing, isSelfContained, settings as unknown as Tree)
  return [...leavesOf(values)].map(
    ({ path, value }) => `${path.join('.')}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
}

export interface CardDifference {
  what: string
  detail: string
  changesResults: boolean // false of versions and machines: they are named, and do not stop a run
}

// How a run that would begin now differs from that of the card.
export function listDifferences(
  card: RunCard,
  { run, settings }: { run: NewRun['run']; settings: Config },
  checked: Preflight,
): CardDifference[] {
  const differs = (what: string, then: unknown, now: unknown, changesResults = true): CardDifference[] =>
    then === now ? [] : [{ what, detail: `${then ?? 'none'}, now ${now ?? 'none'}`, changesResults }]
  const { judge } = card
  const wording = typeof judge?.wording === 'object' ? judge.wording.sha256 : undefined
  const roles = Object.entries(card.models).flatMap(([role, { digest }]) => {
    const now = run.digests?.[role]
    return digest === null || now === undefined ? [] : differs(`digest of models.${role}`, digest, now)
  })
  return [
    ...differs('questions', card.data.questionsHash, run.dataHash),
    ...videoDifferences(card, checked),
    ...differs('tasks', card.tasks.join(' '), run.tasks.join(' ')),
    ...differs('judge', judge?.by, run.judgedBy),
    ...differs("the judge's wording", wording, run.wording?.sha256),
    ...differs('prompt', card.prompt?.sha256, run.prompt?.sha256),
    ...differs('what is said about the videos', card.about, run.about),
    ...roles,
    ...settingsThatDiffer(card.settings, publicSettings(settings)).map(detail => ({
      what: 'setting',
      detail,
      changesResults: true,
    })),
    ...differs('longtake', card.longtake, run.version, false),
    ...differs('Node', card.node, run.node, false),
    ...differs('platform', card.platform, run.platform, false),
  ]
}

function videoDifferences({ data }: RunCard, { videos }: Preflight): CardDifference[] {
  const ofCard = videos.filter(({ video }) => Object.hasOwn(data.videos, video))
  const missing = ofCard.filter(({ state }) => state === 'missing' || state === 'broken')
  const otherCopies = ofCard.filter(({ video, content }) => content !== undefined && content !== data.videos[video])
  const row = (what: string, of: typeof ofCard) => {
    const names = of.map(({ video }) => video)
    const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
    return of.length === 0 ? [] : [{ what, detail: `${names.slice(0, 3).join(', ')}${more}`, changesResults: true }]
  }
  return [...row('videos that are not here', missing), ...row('videos that are other copies', otherCopies)]
}

interface Reproduction {
  tasks: { task: string; n: number; card: number; low: number; high: number; here: number | null; isWithin: boolean }[]
  metrics: { metric: string; card: number | null; here: number | null }[] // as the released scorer counts
  isSentAlike: boolean // every request to a model was the same, prompts and pictures
}

// What the run that was repeated says of the card.
export async function concludeReproduction(card: RunCard, report: RunReport): Promise<Reproduction> {
  const { tasks, scores, folder } = report
  const { sha256 } = await hashCalls(folder)
  const official = scores?.official.metrics ?? {}
  return {
    tasks: card.scores.strict.map(({ task, n, mean, low, high }) => {
      const here = tasks.find(row => row.task === task.replace(/ \(words\)$/, ''))?.mean ?? null
      // Penalties take a mean below 0, where no interval lies.
      const isWithin = here !== null && here >= Math.min(low, mean) && here <= Math.max(high, mean)
      return { task, n, card: mean, low, high, here, isWithin }
    }),
    metrics: Object.entries(card.scores.metrics?.official ?? {}).map(([metric, value]) => ({
      metric,
      card: value,
      here: official[metric] ?? null,
    })),
    isSentAlike: sha256 === card.sent.sha256,
  }
}
