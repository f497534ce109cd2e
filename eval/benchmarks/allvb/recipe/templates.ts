import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { drawFor } from '../../../../src/core/basics/draws.ts'
import { groupBy } from '../../../../src/core/basics/group-by.ts'
import { errorText, UsageError } from '../../../../src/core/errors.ts'
import { parseStoredJson } from '../../../../src/store/read-file.ts'
import { shuffle } from '../../../data/deck.ts'
import ours from './templates.json' with { type: 'json' }

export interface Template {
  task: string
  sub_task: string
  asks: string
  counted?: boolean // its answer is a number or a range, which stands nowhere
  risky?: boolean // script and film often differ: people see it first
}

type Named = Pick<Template, 'task' | 'sub_task'>

const perSubPlot = 2 // of each task

export const ownTemplates: readonly Template[] = ours
export const taskLabel = ({ task, sub_task }: Named) => `${task}: ${sub_task}`

const File = z
  .array(z.object({ task: z.string(), sub_task: z.string(), requirements: z.string(), description: z.string() }))
  .length(ours.length)

// A person's own texts, or those of the paper, under the names of the paper.
export async function readTemplates(file: string): Promise<Template[]> {
  const hint = `Expected are ${ours.length} objects with task, sub_task, requirements and description; the names are those of the paper.`
  const text = await readFile(file, 'utf8').catch(cause => {
    throw new UsageError(`The templates at ${file} cannot be read: ${errorText(cause)}.`, { hint, cause })
  })
  const read = File.safeParse(parseStoredJson(text))
  if (!read.success) throw new UsageError(`${file} holds no templates: ${read.error.issues[0]?.message}.`, { hint })
  return ours.map(own => {
    const matchingTemplate = read.data.find(one => taskLabel(one) === taskLabel(own))
    if (!matchingTemplate) throw new UsageError(`${file} must hold the template ${taskLabel(own)}.`, { hint })
    return { ...own, asks: `${matchingTemplate.requirements} ${matchingTemplate.description}` }
  })
}

export function isRisky(one: Named): boolean {
  return ownTemplates.some(own => taskLabel(own) === taskLabel(one) && Boolean(own.risky || own.counted))
}

// Those of the whole film.
export function filmTemplates(templates = ownTemplates): Template[] {
  return templates.filter(({ task }) => task === 'VC')
}

// Fourteen for one sub-plot: two of each of the seven other tasks, drawn anew for each.
export function drawTemplates(templates = ownTemplates, seed: number, video: string, at: number): Template[] {
  const questionTemplates = templates.filter(({ task }) => task !== 'VC')
  return [...groupBy(questionTemplates, ({ task }) => task)].flatMap(([task, own]) =>
    shuffle(own, drawFor(seed, 'templates', video, at, task)).slice(0, perSubPlot),
  )
}
