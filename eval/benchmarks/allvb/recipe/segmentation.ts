import { z } from 'zod'
import { type ChatRequest, textContent } from '../../../../src/core/chat.ts'
import { dataRule, fence } from '../../../../src/core/words/fence.ts'
import { askAuthor } from '../../../recipes/author.ts'
import type { SourceRecord } from '../../../recipes/item.ts'
import type { MakeStage } from '../../../recipes/recipe.ts'
import { pagesText, scriptFault, splitPages } from './pages.ts'
import ours from './prompts.json' with { type: 'json' }

const words = z.string()
const page = z.number().int()
const share = z.tuple([z.number(), z.number()])
const Stretch = z.strictObject({ title: words, first: page, last: page, share, content: words })
const Plots = z.strictObject({ title: words, genre: words, first: page, last: page, plots: z.array(Stretch).max(60) })
const SubPlots = z.strictObject({ subplots: z.array(Stretch.extend({ plot: z.number().int() })).max(300) })
export type Plots = z.infer<typeof Plots>
export type Stretch = z.infer<typeof Stretch>
export type SubPlot = Stretch & { plot: number }
type Pages = Pick<Stretch, 'first' | 'last'>

export interface Divided {
  film: Plots
  subplots: SubPlot[]
}

// The film in plots and these in sub-plots: two turns of one chat.
export const plotsStage: MakeStage<unknown, Divided> = {
  name: 'plots',
  version: '1',
  prompts: { plots: ours.plots, subplots: ours.subplots },
  units: ({ video_id }, { author }) => ('model' in author ? [{ unit: `${video_id}/plots`, input: null }] : []),
  calls: () => 2,
  async make({ unit }, { record, author, prompts }) {
    if (!('model' in author)) return { none: 'no model divides it' }
    const unusable = scriptFault(record)
    if (unusable !== undefined) return { rejected: { check: 'script', detail: unusable } }
    const pages = splitPages(record).map(({ page }) => page)
    const ends = { first: pages[0] ?? 1, last: pages.at(-1) ?? 1 }
    const common = { system: dataRule, temperature: 0, maxTokens: 8000 }
    const prompt = plotsPrompt(record, prompts)
    const faultOf = (value: Plots) => plotsFault(value, ends)
    const first = await askAuthor(author, { ...common, unit, name: 'plots', shape: Plots, prompt, faultOf })
    const { value: film } = first
    if (!film) return { ...first, rejected: { check: 'reply', detail: first.fault ?? 'no reply' } }
    const { value, fault, ...second } = await askAuthor(author, {
      ...common,
      unit: `${unit}/sub`,
      name: 'subplots',
      shape: SubPlots,
      prompt: prompts.subplots ?? '',
      turns: buildTurns(prompt, JSON.stringify(film)),
      faultOf: value => subPlotsFault(value, film.plots),
    })
    const usage = { calls: [...first.calls, ...second.calls], tries: first.tries + second.tries }
    if (!value) return { ...usage, rejected: { check: 'reply', detail: fault ?? 'no reply' } }
    const plots = film.plots.map(one => withShares(one, film))
    const subplots = value.subplots.map(one => withShares(one, film))
    return { ...usage, output: { film: { ...film, plots }, subplots } }
  },
}

function plotsPrompt(record: SourceRecord, { plots }: Record<string, string>): string {
  return `${plots}\n${fence('script', pagesText(splitPages(record)))}`
}

// The chat in which a film was divided, as whoever asks further in it repeats it.
export function dividingChat(record: SourceRecord, prompts: Record<string, string>, { film, subplots }: Divided) {
  const chatTurns = [JSON.stringify(film), prompts.subplots ?? '', JSON.stringify({ subplots })]
  return buildTurns(plotsPrompt(record, prompts), ...chatTurns)
}

function buildTurns(...said: string[]): ChatRequest['messages'] {
  return said.map((words, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: textContent(words) }))
}

const mostSkipped = 0.1 // of the pages: title pages before the film and credits after it

// Why plots cannot be used; undefined if they cover the film from its first page to its last.
export function plotsFault({ first, last, plots }: Plots, pages: Pages): string | undefined {
  if (first < pages.first || last > pages.last)
    return `the film is said to run from page ${first} to page ${last}, and there are pages ${pages.first} to ${pages.last}`
  if (last < first) return `the film is said to end on page ${last}, before it begins on page ${first}`
  const skipped = first - pages.first + pages.last - last
  if (skipped > Math.max(1, mostSkipped * (pages.last - pages.first + 1)))
    return `${skipped} pages belong to no part of the film: it is said to run from page ${first} to page ${last}`
  return coverFault(plots, { first, last }, 'plot', 'the film')
}

export function subPlotsFault({ subplots }: z.infer<typeof SubPlots>, plots: readonly Pages[]): string | undefined {
  const strange = subplots.find(({ plot }) => plot < 1 || plot > plots.length)
  if (strange) return `the sub-plot "${strange.title}" is of plot ${strange.plot}, and there are ${plots.length}`
  const back = subplots.findIndex(({ plot }, at) => at > 0 && plot < subplots[at - 1]!.plot)
  if (back > 0) return `the sub-plot "${subplots[back]?.title}" comes after those of a later plot`
  for (const [at, plot] of plots.entries()) {
    const plotParts = subplots.filter(one => one.plot === at + 1)
    const fault = coverFault(plotParts, plot, 'sub-plot', `plot ${at + 1}`)
    if (fault !== undefined) return fault
  }
}

function coverFault(parts: readonly Stretch[], whole: Pages, kind: string, name: string): string | undefined {
  if (parts.length === 0) return `${name} has no ${kind}`
  for (const [at, part] of parts.entries()) {
    const partName = `${kind} ${at + 1} of ${name}`
    const empty = (['title', 'content'] as const).find(key => part[key].trim() === '')
    if (empty) return `${partName} has no ${empty}`
    if (part.last < part.first) return `${partName} ends on page ${part.last}, before it begins on page ${part.first}`
    const before = parts[at - 1]
    if (!before && part.first !== whole.first)
      return `${partName} begins on page ${part.first}, and ${name} on page ${whole.first}`
    if (before && part.first > before.last + 1)
      return `between ${kind} ${at} and ${kind} ${at + 1} of ${name} pages ${before.last + 1} to ${part.first - 1} are left out`
    if (before && part.first < before.last)
      return `${partName} begins on page ${part.first}, before the end of the one before it on page ${before.last}`
  }
  const end = parts.at(-1)?.last
  if (end !== whole.last) return `the last ${kind} of ${name} ends on page ${end}, and ${name} on page ${whole.last}`
}

// The shares of a stretch as they are, whatever was said: to four decimals.
export function withShares<Part extends Stretch>(part: Part, { first, last }: Pages): Part {
  const share = (at: number) => Math.round((10_000 * (at - first)) / (last - first + 1)) / 10_000
  return { ...part, share: [share(part.first), share(part.last)] }
}
