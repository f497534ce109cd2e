import { basename, extname } from 'node:path'
import type { Sample } from '../../data/sample.ts'
import { withoutLetter } from '../../metrics/choice/options.ts'
import { parseLiteral } from '../../python/literal.ts'
import { toPlain } from '../../python/value.ts'

// Whatever another program kept of a question.
export type ReleasedRecord = Record<string, unknown>

const idFields = ['question_id', 'qid', 'uid', 'sample_id', 'id']
const videoFields = ['video', 'video_uid', 'video_id', 'videoID', 'video_name', 'video_path', 'video_path_mp4']

// Finds the samples that a record of another program is about: by an id where the words of the question agree, else by video and
// question; never by its place. Questions that differ only in their options are told apart by these.
export function sampleFinder<Item>(samples: readonly Sample<Item>[]): (kept: ReleasedRecord) => Sample<Item>[] {
  const byId = new Map<string, Sample<Item>[]>()
  const byQuestion = new Map<string, Sample<Item>[]>()
  for (const sample of samples) {
    for (const id of new Set([sample.id, sample.longId ?? sample.id])) add(byId, id, sample)
    add(byQuestion, questionKey(sample.video, sample.question.text), sample)
  }
  return kept => {
    const questionText = readText(kept.question)
    const named = idFields.flatMap(field => byId.get(readText(kept[field])) ?? [])
    const sure = [...new Set(named)].filter(
      ({ question }) => questionText !== '' && question.text.trim() === questionText,
    )
    if (sure.length > 0) return sure
    const matches = videoFields.flatMap(field => byQuestion.get(questionKey(readText(kept[field]), questionText)) ?? [])
    return withSameOptions([...new Set(matches)], kept)
  }
}

function withSameOptions<Item>(found: Sample<Item>[], kept: ReleasedRecord): Sample<Item>[] {
  if (found.length < 2) return found
  const options = joinOptions(kept.options ?? kept.candidates ?? kept.choices)
  const same = found.filter(({ question }) => question.options?.map(option => option.trim()).join('\n') === options)
  return same.length > 0 ? same : found
}

// A table holds the list as Python writes it.
function joinOptions(value: unknown): string | undefined {
  const list = typeof value === 'string' && value.trim().startsWith('[') ? toPlain(parseLiteral(value)) : value
  return Array.isArray(list) ? list.map(option => withoutLetter(String(option)).trim()).join('\n') : undefined
}

function questionKey(video: string, question: string): string {
  return `${basename(video, extname(video))}\n${question.trim()}`
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

function add<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  map.set(key, [...(map.get(key) ?? []), item])
}
