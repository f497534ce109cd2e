import { basename } from 'node:path'
import { errorText, UsageError } from '../../../src/core/errors.ts'
import { type Annotations, removeExtension } from '../../data/files.ts'
import { readExactRecords } from '../../data/records.ts'
import type { SampleAbout } from '../../data/sample.ts'
import { parseLiteral } from '../../python/literal.ts'
import { isDict, type PythonDict, type PythonValue, pythonText, toPlain } from '../../python/value.ts'

// The eight skills, spelt as the files are.
const choiceSkills = ['character_actions', 'scene_transitions', 'choronological_understanding', 'global_appearance']
const openSkills = ['summarization', 'spoiler_questions', 'deep_context_understanding', 'linking_multiple_events']
export const skills = [...choiceSkills, ...openSkills]

export function isChoiceSkill(skill: string | undefined): boolean {
  return skill !== undefined && choiceSkills.includes(skill)
}

export interface InfiniBenchRecord {
  id: string
  skill: string
  question: string
  options?: string[] // a list of ordered events is one option, joined
  right?: string // answer_idx as Python prints it, counted from 0; withheld in the test split
  answer?: string // of the open skills
  video?: string
  subtitles?: string
  record: PythonDict
}

// One file per skill, in the folder of its split (or in skills_json there).
export const annotations: Annotations = {
  isFile: name => findSkill(name) !== undefined,
  splitOf: place => place.slice(0, -1).findLast(folder => splits.includes(folder)),
  isMany: true,
}

const splits = ['train', 'validation', 'test']

// Records of the files of a split: an array with skill_name, or an object by skill.
export async function infiniBenchRecords(files: readonly string[]): Promise<InfiniBenchRecord[]> {
  const skillFiles = files.flatMap(file => findSkill(basename(file)) ?? [])
  const twice = skillFiles.find((skill, i) => skillFiles.indexOf(skill) < i)
  if (twice !== undefined)
    throw new UsageError(`There are several files of the skill ${twice}: ${files.join(', ')}.`, {
      hint: 'Name the folder of one split as --data.',
    })
  const records: InfiniBenchRecord[] = []
  for (const file of files)
    for (const { skill, rows } of skillRows(await readExactRecords(file), findSkill(basename(file))))
      for (const row of rows) records.push(infiniBenchRecord(row, skill, file, records.length))
  return records
}

export function infiniBenchRecord(
  value: PythonValue,
  skillOfFile: string | undefined,
  file: string,
  place: number,
): InfiniBenchRecord {
  const record: PythonDict = isDict(value) ? value : new Map()
  const skill = readText(record, 'skill_name') ?? skillOfFile
  if (skill === undefined || !skills.includes(skill))
    throw new UsageError(`${file}, record ${place} has no skill of infinibench${skill ? `: "${skill}"` : ''}.`, {
      hint: `Skills are ${skills.join(', ')}; a file is named after its skill.`,
    })
  const right = record.get('answer_idx')
  return {
    id: readText(record, 'question_id') ?? `${skill}_${place}`,
    skill,
    question: readText(record, 'question') ?? '',
    options: readOptionTexts(record.get('options'), `${file}, record ${place}`),
    right: right === undefined ? undefined : pythonText(right),
    answer: readText(record, 'answer'),
    video: readText(record, 'video_path_mp4'),
    subtitles: readText(record, 'video_subtitles'),
    record,
  }
}

// Lists of options come as such or as Python writes them.
function readOptionTexts(value: PythonValue | undefined, place: string): string[] | undefined {
  const list = typeof value === 'string' ? literal(value, place) : value
  if (!Array.isArray(list)) return undefined
  return list.map(option => (Array.isArray(option) ? option.map(pythonText).join(', ') : pythonText(option)))
}

function literal(text: string, place: string): PythonValue {
  try {
    return parseLiteral(text)
  } catch (cause) {
    throw new UsageError(`${place}: options are not a list as Python writes it: ${errorText(cause)}`, {
      hint: "They are expected as a list, or as text like \"['a', 'b']\".",
      cause,
    })
  }
}

// A file is a list of records, all of one skill or each with its own, or an object that holds such lists by skill.
export function skillRows(
  records: PythonValue[],
  skill: string | undefined,
): { skill: string | undefined; rows: PythonValue[] }[] {
  const [only] = records
  if (records.length === 1 && isDict(only) && only.size > 0 && [...only.values()].every(Array.isArray))
    return [...only].map(([name, list]) => ({ skill: pythonText(name), rows: list as PythonValue[] }))
  return [{ skill, rows: records }]
}

function findSkill(name: string): string | undefined {
  return skills.find(skill => skill === removeExtension(name))
}

function readText(record: PythonDict, field: string): string | undefined {
  const value = record.get(field)
  return value === undefined || value === null ? undefined : pythonText(value)
}

// What the path of an episode says; films are known only by their IMDb number, so by a file of titles.
export function aboutEpisode(video = ''): SampleAbout | undefined {
  const [, show, season, episode] = /(?:^|\/)([^/]+)\/season_?(\d+)[/_]episode_?(\d+)/i.exec(video) ?? []
  if (show === undefined) return undefined
  return { title: show.replace(/_frames$/, '').replaceAll('_', ' '), season: Number(season), episode: Number(episode) }
}

// Two skills may share an id.
export function longId({ skill, id }: Pick<InfiniBenchRecord, 'skill' | 'id'>): string {
  return `${skill}:${id}`
}

export function plainRecord(record: InfiniBenchRecord): unknown {
  return toPlain(record.record)
}
