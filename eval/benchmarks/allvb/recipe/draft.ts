import { z } from 'zod'
import { drawFor } from '../../../../src/core/basics/draws.ts'
import { type ChatRequest, text } from '../../../../src/core/chat.ts'
import { roundTime } from '../../../../src/core/time.ts'
import { dataRule, fence } from '../../../../src/core/words/fence.ts'
import { picturesAt } from '../../../make/checks/parts/pictures.ts'
import type { Interval, SourceRecord } from '../../../make/item.ts'
import { askAuthor } from '../../../make/machine/author.ts'
import type { MakeStage, StageWork } from '../../../make/recipe.ts'
import { between, pagesOf, pagesText, scriptFault } from './pages.ts'
import prompts from './prompts.json' with { type: 'json' }
import {
  type Plots,
  Plots as PlotsShape,
  plotsFault,
  type SubPlot,
  SubPlots,
  subPlotsFault,
  withShares,
} from './segmentation.ts'
import { details, drawTemplates, filmTemplates, nameOf, type Template } from './templates.ts'

export interface AllvbSettings {
  texts?: readonly Template[] // of a person; ours where left out
}

const question = z.strictObject({
  template: z.string(),
  question: z.string().min(8),
  options: z.array(z.string().min(1)).length(5),
  answer: z.enum(['A', 'B', 'C', 'D', 'E']),
  reasoning: z.string().min(1),
})
export type Question = z.infer<typeof question>
const Questions = z.strictObject({ questions: z.array(question).max(40) })
const Detail = question.omit({ template: true }).extend({ still: z.number().int().min(1).max(11) })

// What was asked for of one scope, and what came.
export interface Batch {
  scope: 'film' | 'scene' | 'detail'
  templates: string[]
  questions: Question[]
  fault?: string // of the last reply, where not all came
  rows: string[]
  clues: Interval[]
  subplot?: SubPlot
}

interface Divided {
  film: Plots
  subplots: SubPlot[]
}

// The film in plots and these in sub-plots: two turns of one chat.
export const plotsStage: MakeStage<AllvbSettings, Divided> = {
  name: 'plots',
  version: '1',
  prompts: { plots: prompts.plots, subplots: prompts.subplots },
  units: ({ video_id }, { author }) => ('model' in author ? [{ unit: `${video_id}/plots`, input: null }] : []),
  calls: () => 2,
  async make({ unit }, { record, author, prompts }) {
    if (!('model' in author)) return { calls: [], tries: 0, none: 'no model divides it' }
    const unusable = scriptFault(record)
    if (unusable !== undefined) return { calls: [], tries: 0, rejected: { check: 'script', detail: unusable } }
    const pages = pagesOf(record)
    const ends = { first: pages[0]?.page ?? 1, last: pages.at(-1)?.page ?? 1 }
    const common = { system: dataRule, temperature: 0, maxTokens: 8000 }
    const first = await askAuthor(author, {
      ...{ ...common, unit, name: 'plots', shape: PlotsShape, prompt: plotsPrompt(record, prompts) },
      faultOf: value => plotsFault(value, ends),
    })
    const { value: film } = first
    if (!film) return { ...first, rejected: { check: 'reply', detail: first.fault ?? 'no reply' } }
    const second = await askAuthor<z.infer<typeof SubPlots>>(author, {
      ...{ ...common, unit: `${unit}/sub`, name: 'subplots', shape: SubPlots, prompt: prompts.subplots ?? '' },
      ...{ turns: turnsOf(record, prompts, film), faultOf: value => subPlotsFault(value, film.plots) },
    })
    const asked = { calls: [...first.calls, ...second.calls], tries: first.tries + second.tries }
    if (!second.value) return { ...asked, rejected: { check: 'reply', detail: second.fault ?? 'no reply' } }
    const plots = film.plots.map(plot => withShares(plot, film))
    const subplots = second.value.subplots.map(part => withShares(part, film))
    return { ...asked, output: { film: { ...film, plots }, subplots } }
  },
}

function plotsPrompt(record: SourceRecord, prompts: Record<string, string>): string {
  return `${prompts.plots}\n${fence('script', pagesText(pagesOf(record)))}`
}

function turnsOf(record: SourceRecord, prompts: Record<string, string>, film: Plots): ChatRequest['messages'] {
  return [
    { role: 'user', content: text(plotsPrompt(record, prompts)) },
    { role: 'assistant', content: text(JSON.stringify(film)) },
  ]
}

const divided = (before: Parameters<typeof plotsStage.units>[1]['before']) =>
  before?.plots?.map(({ output }) => output as Divided) ?? []

// Eleven questions on the whole film, in the same chat.
export const filmStage: MakeStage<AllvbSettings, Batch> = {
  name: 'film',
  version: '1',
  prompts: { ...plotsStage.prompts, film: prompts.film, options: prompts.options },
  units: ({ video_id }, { author, before, settings }) => {
    const parts = before ? divided(before) : [null]
    return 'model' in author
      ? parts.map(input => ({
          unit: `${video_id}/film`,
          input: { divided: input, templates: filmTemplates(settings.texts) },
        }))
      : []
  },
  calls: () => 1,
  make({ unit, input }, work) {
    const { divided, templates } = input as { divided: Divided; templates: Template[] }
    const { record, prompts } = work
    const turns: ChatRequest['messages'] = [
      ...turnsOf(record, prompts, divided.film),
      { role: 'user', content: text(prompts.subplots ?? '') },
      { role: 'assistant', content: text(JSON.stringify({ subplots: divided.subplots })) },
    ]
    const rows = pagesOf(record).flatMap(page => page.rows)
    return writeBatch(unit, work, { scope: 'film', rows, clues: [] }, templates, prompts.film ?? '', turns)
  },
}

// Fourteen questions on each sub-plot.
export const scenesStage: MakeStage<AllvbSettings, Batch> = {
  name: 'scenes',
  version: '1',
  prompts: { scenes: prompts.scenes, options: prompts.options },
  units(record, { author, before, settings, seed }) {
    if (!('model' in author)) return []
    const parts: (SubPlot | null)[] = before
      ? divided(before).flatMap(({ subplots }) => subplots)
      : pagesOf(record).map(() => null)
    return parts.map((subplot, at) => ({
      unit: `${record.video_id}/s${at + 1}`,
      input: { subplot, templates: drawTemplates(settings.texts, seed, record.video_id, at) },
    }))
  },
  calls: () => 1,
  make({ unit, input }, work) {
    const { subplot, templates } = input as { subplot: SubPlot; templates: Template[] }
    const pages = between(pagesOf(work.record), subplot)
    const scope = { scope: 'scene' as const, rows: pages.flatMap(page => page.rows), clues: [], subplot }
    return writeBatch(unit, work, scope, templates, `${work.prompts.scenes}\n${fence('script', pagesText(pages))}`)
  },
}

async function writeBatch(
  unit: string,
  { author, prompts }: StageWork<AllvbSettings, Batch>,
  scope: Pick<Batch, 'scope' | 'rows' | 'clues' | 'subplot'>,
  templates: readonly Template[],
  prompt: string,
  turns: ChatRequest['messages'] = [],
) {
  if (!('model' in author)) return { calls: [], tries: 0, none: 'no model writes it' }
  const names = templates.map(nameOf)
  const list = templates.map(template => `- ${nameOf(template)}: it asks ${template.asks}`).join('\n')
  const { value, partial, fault, ...asked } = await askAuthor(author, {
    ...{ unit, system: dataRule, name: 'questions', shape: Questions, temperature: 0.7, maxTokens: 12_000, turns },
    prompt: `${prompt}\n${prompts.options}\n"template" is the name of the template as it stands here:\n${list}`,
    faultOf: ({ questions }) => batchFault(questions, names, scope.scope),
  })
  const questions = (value ?? partial)?.questions.filter(one => names.includes(one.template)) ?? []
  return { ...asked, output: { ...scope, templates: names, questions, ...(fault !== undefined && { fault }) } }
}

function batchFault(
  questions: readonly Question[],
  names: readonly string[],
  scope: Batch['scope'],
): string | undefined {
  const missing = names.filter(name => !questions.some(({ template }) => template === name))
  if (missing.length > 0) return `there is no question for ${missing.join(', ')}`
  const strange = questions.find(({ template }) => !names.includes(template))
  if (strange) return `"${strange.template}" is none of the templates`
  for (const { template, question } of questions) {
    const fault = scope === 'scene' ? bannedIn(question) : undefined
    if (fault !== undefined) return `the question for ${template} ${fault}`
  }
}

export function bannedIn(question: string): string | undefined {
  const word = /\b(?:segment|script|video|described|provided)s?\b/i.exec(question)?.[0]
  return word && `holds the word "${word}"`
}

const stills = 11

// One detail of each tenth of the film, seen on one of eleven stills.
export const detailsStage: MakeStage<AllvbSettings, Batch> = {
  name: 'details',
  version: '1',
  role: 'look',
  prompts: { detail: prompts.detail, options: prompts.options },
  units: ({ video_id }, { author }) =>
    'model' in author
      ? Array.from({ length: details }, (_, at) => ({ unit: `${video_id}/n${at + 1}`, input: at }))
      : [],
  calls: () => 1,
  async make({ unit, input }, { author, record, seed, frames, prompts }) {
    const part = record.statistics.duration / details
    if (!('model' in author) || part < stills)
      return { calls: [], tries: 0, none: `a tenth of the film is shorter than ${stills} seconds` }
    const start = Number(input) * part + drawFor(seed, 'detail', unit)() * (part - stills)
    const times = Array.from({ length: stills }, (_, at) => roundTime(start + at))
    const pictures = await picturesAt(record, times, frames)
    const { value, fault, ...asked } = await askAuthor(author, {
      ...{ unit, system: dataRule, name: 'detail', shape: Detail, temperature: 0.7, maxTokens: 1500 },
      ...{ prompt: `${prompts.detail}\n${prompts.options}`, pictures },
      faultOf: ({ question }) => (/\b(?:frame|still)s?\b/i.test(question) ? 'the question names a still' : undefined),
    })
    const name = `NH: Part ${Number(input) + 1}`
    const at = times[(value?.still ?? 1) - 1] ?? start
    const clues: Interval[] = [
      [Math.max(0, roundTime(at - 0.5)), Math.min(record.statistics.duration, roundTime(at + 0.5))],
    ]
    const questions = value ? [{ template: name, ...value }] : []
    return {
      ...asked,
      output: {
        scope: 'detail' as const,
        templates: [name],
        questions,
        rows: [],
        clues,
        ...(fault !== undefined && { fault }),
      },
    }
  },
}
