import { z } from 'zod'
import { drawFor } from '../../../../src/core/basics/draws.ts'
import type { ChatRequest } from '../../../../src/core/chat.ts'
import { roundTime } from '../../../../src/core/time.ts'
import { dataRule, fence } from '../../../../src/core/words/fence.ts'
import { askAuthor } from '../../../recipes/author.ts'
import { readItemPictures } from '../../../recipes/checks/parts/pictures.ts'
import type { ItemInterval } from '../../../recipes/item.ts'
import { type MakeStage, outputsOf, type StageWork } from '../../../recipes/recipe.ts'
import { pagesText, splitPages } from './pages.ts'
import ours from './prompts.json' with { type: 'json' }
import { type Divided, dividingChat, plotsStage, type SubPlot } from './segmentation.ts'
import { drawTemplates, filmTemplates, type Template, taskLabel } from './templates.ts'

export interface AllvbSettings {
  perVideo: number
  texts?: readonly Template[] // of a person; ours where left out
}

const question = z.strictObject({
  template: z.string(),
  question: z.string().min(8),
  options: z.array(z.string().min(1)).length(5),
  answer: z.enum(['A', 'B', 'C', 'D', 'E']),
  reasoning: z.string().min(1),
})
export type WrittenQuestion = z.infer<typeof question>
const Questions = z.strictObject({ questions: z.array(question).max(40) })
const Detail = question.omit({ template: true }).extend({ still: z.number().int().min(1).max(11) })

interface Scope {
  scope: 'film' | 'scene' | 'detail'
  rows: string[]
  clues: ItemInterval[]
  subplot?: SubPlot
}

// What was asked for of one scope, and what came.
export interface Batch extends Scope {
  templates: string[]
  questions: WrittenQuestion[]
  fault?: string // of the last reply, where not all came
}

// Eleven questions on the whole film, in the chat in which it was divided.
export const filmStage: MakeStage<AllvbSettings, Batch> = {
  name: 'film',
  version: '1',
  prompts: { ...plotsStage.prompts, film: ours.film, options: ours.options },
  units({ video_id }, { author, before, settings }) {
    const templates = filmTemplates(settings.texts)
    const films = 'model' in author ? (before ? outputsOf<Divided>(before.plots) : [null]) : []
    return films.map(divided => ({ unit: `${video_id}/film`, input: { divided, templates } }))
  },
  calls: () => 1,
  make({ unit, input }, work) {
    const { divided, templates } = input as { divided: Divided; templates: Template[] }
    const { record, prompts } = work
    const rows = splitPages(record).flatMap(page => page.rows)
    const turns = dividingChat(record, prompts, divided)
    return writeBatch(unit, work, { scope: 'film', rows, clues: [] }, templates, prompts.film ?? '', turns)
  },
}

// Fourteen questions on each sub-plot.
export const scenesStage: MakeStage<AllvbSettings, Batch> = {
  name: 'scenes',
  version: '1',
  prompts: { scenes: ours.scenes, options: ours.options },
  units(record, { author, before, settings, seed }) {
    if (!('model' in author)) return []
    const subplots = before
      ? outputsOf<Divided>(before.plots).flatMap(({ subplots }) => subplots)
      : splitPages(record).map(() => null)
    return subplots.map((subplot, at) => ({
      unit: `${record.video_id}/s${at + 1}`,
      input: { subplot, templates: drawTemplates(settings.texts, seed, record.video_id, at) },
    }))
  },
  calls: () => 1,
  make({ unit, input }, work) {
    const { subplot, templates } = input as { subplot: SubPlot; templates: Template[] }
    const pages = splitPages(work.record).filter(({ page }) => page >= subplot.first && page <= subplot.last)
    const scope = { scope: 'scene' as const, rows: pages.flatMap(page => page.rows), clues: [], subplot }
    return writeBatch(unit, work, scope, templates, `${work.prompts.scenes}\n${fence('script', pagesText(pages))}`)
  },
}

async function writeBatch(
  unit: string,
  { author, prompts }: StageWork<AllvbSettings, Batch>,
  scope: Scope,
  templates: readonly Template[],
  prompt: string,
  turns: ChatRequest['messages'] = [],
) {
  if (!('model' in author)) return { none: 'no model writes it' }
  const names = templates.map(taskLabel)
  const list = templates.map(template => `- ${taskLabel(template)}: it asks ${template.asks}`).join('\n')
  const { value, partial, fault, ...asked } = await askAuthor(author, {
    unit,
    system: dataRule,
    name: 'questions',
    shape: Questions,
    temperature: 0.7,
    maxTokens: 12_000,
    turns,
    prompt: `${prompt}\n${prompts.options}\n"template" is the name of the template as it stands here:\n${list}`,
    faultOf: ({ questions }) => batchFault(questions, names, scope),
  })
  const questions = (value ?? partial)?.questions.filter(one => names.includes(one.template)) ?? []
  return { ...asked, output: { ...scope, templates: names, questions, ...(fault !== undefined && { fault }) } }
}

function batchFault(questions: readonly WrittenQuestion[], names: readonly string[], scope: Scope): string | undefined {
  const missing = names.filter(name => !questions.some(({ template }) => template === name))
  if (missing.length > 0) return `there is no question for ${missing.join(', ')}`
  const strange = questions.find(({ template }) => !names.includes(template))
  if (strange) return `"${strange.template}" is not one of the templates`
  const banned = questions.find(({ question }) => bannedIn(question, scope) !== undefined)
  return banned && `the question for ${banned.template} ${bannedIn(banned.question, scope)}`
}

// A question on a scene is asked as of the film: by one who knows nothing of how it was made.
export function bannedIn(question: string, { scope }: Pick<Scope, 'scope'>): string | undefined {
  const word = scope === 'scene' && /\b(?:segment|script|video|described|provided)s?\b/i.exec(question)?.[0]
  return word ? `holds the word "${word}"` : undefined
}

export const details = 10
const stills = 11

// One detail of each tenth of the film, seen on one of eleven stills.
export const detailsStage: MakeStage<unknown, Batch> = {
  name: 'details',
  version: '1',
  role: 'look',
  prompts: { detail: ours.detail, options: ours.options },
  units: ({ video_id }, { author }) =>
    Array.from({ length: 'model' in author ? details : 0 }, (_, at) => ({ unit: `${video_id}/n${at + 1}`, input: at })),
  calls: () => 1,
  async make({ unit, input }, { author, record, seed, frames, prompts }) {
    const { duration } = record.statistics
    const partSeconds = duration / details
    if (!('model' in author) || partSeconds < stills)
      return { none: `a tenth of the film is shorter than ${stills} seconds` }
    const start = Number(input) * partSeconds + drawFor(seed, 'detail', unit)() * (partSeconds - stills)
    const times = Array.from({ length: stills }, (_, at) => roundTime(start + at))
    const { value, fault, ...asked } = await askAuthor(author, {
      unit,
      system: dataRule,
      name: 'detail',
      shape: Detail,
      temperature: 0.7,
      maxTokens: 1500,
      prompt: `${prompts.detail}\n${prompts.options}`,
      pictures: await readItemPictures(record, times, frames),
      faultOf: ({ question }) => (/\b(?:frame|still)s?\b/i.test(question) ? 'the question names a still' : undefined),
    })
    const template = `NH: Part ${Number(input) + 1}`
    const at = times[(value?.still ?? 1) - 1] ?? start
    const clues: ItemInterval[] = [[Math.max(0, roundTime(at - 0.5)), Math.min(duration, roundTime(at + 0.5))]]
    const batch = { templates: [template], questions: value ? [{ template, ...value }] : [], rows: [], clues }
    return { ...asked, output: { scope: 'detail', ...batch, ...(fault !== undefined && { fault }) } }
  },
}
