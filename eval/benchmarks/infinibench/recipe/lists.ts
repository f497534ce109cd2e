import { z } from 'zod'
import { dataRule, fence } from '../../../../src/core/words/fence.ts'
import { plainWords } from '../../../make/checks/parts/words.ts'
import type { Interval, SourceRecord } from '../../../make/item.ts'
import { type Wanted, writtenBy } from '../../../make/machine/author.ts'
import type { MakeStage, StageWork } from '../../../make/recipe.ts'
import { factsOf } from '../../../make/rules/facts.ts'
import { knownRows, sourceText } from '../../../make/source/texts.ts'
import type { Entry } from './orders.ts'
import texts from './prompts.json' with { type: 'json' }

export interface Person {
  name: string
  entries: Entry[]
  appears?: Interval[] // where their outfits were seen
}

interface Asked {
  question: string
  answer: string
  rows: string[]
}

export interface Found {
  list: keyof typeof texts
  entries?: Entry[] // events and places
  people?: Person[] // actions, and outfits
  asked?: Asked[] // deep and linking
}

const rows = z.array(z.string()).min(1).max(40)
const entries = z.array(z.strictObject({ text: z.string().min(3), rows })).max(200)
const shapes = {
  events: z.strictObject({ entries }),
  places: z.strictObject({ entries }),
  actions: z.strictObject({ people: z.array(z.strictObject({ name: z.string().min(1), entries })).max(12) }),
  deep: z.strictObject({
    asked: z.array(z.strictObject({ question: z.string().min(8), answer: z.string().min(1), rows })).max(20),
  }),
  linking: z.strictObject({
    asked: z.array(z.strictObject({ question: z.string().min(8), answer: z.string().min(1), rows })).max(20),
  }),
}
type Name = keyof typeof shapes
const { outfits: _, ...prompts } = texts

// What questions are made from, each list by one request. By rules: titles in the order in which they stand on the screen.
export const listStage: MakeStage<unknown, Found> = {
  name: 'lists',
  version: '1',
  prompts,
  units: ({ video_id }, { author }) =>
    ('model' in author ? Object.keys(shapes) : ['events', 'places']).map(list => ({
      unit: `${video_id}/${list}`,
      input: list,
    })),
  calls: (_, author) => Number('model' in author),
  async make({ unit, input }, work) {
    const name = input as Name
    if (!('model' in work.author)) return byRules(name, work.record)
    return writtenBy(work.author, wanted(unit, name, work), value => ({ list: name, ...value }) as Found)
  },
}

function byRules(name: Name, record: SourceRecord) {
  const { shown, slides } = factsOf(record)
  const found = name === 'events' ? apart(shown) : apart(slides)
  const entries = found.map(({ title, row }) => ({
    text: name === 'events' ? `the title "${title}" appears` : title,
    rows: [row],
  }))
  if (entries.length < 2) return { calls: [], tries: 0, none: 'fewer than two titles stand on the screen for certain' }
  return { calls: [], tries: 0, output: { list: name, entries } as Found }
}

function apart<Shown extends { span: { start: number } }>(shown: readonly Shown[]): Shown[] {
  return shown.filter((one, at) => at === 0 || one.span.start - (shown[at - 1]?.span.start ?? 0) >= 5)
}

function wanted(
  unit: string,
  name: Name,
  { record, prompts }: StageWork<unknown, Found>,
): Wanted<z.infer<(typeof shapes)[Name]>> {
  const known = knownRows(record)
  const { summary } = record.meta
  const isSummary = name === 'linking' && summary !== undefined
  const parts = [
    (name === 'deep' || name === 'actions' || isSummary) &&
      summary !== undefined &&
      fence('summary', `about.summary: ${summary}`),
    !isSummary && fence('film', sourceText(record)),
  ]
  return {
    ...{ unit, name, system: `${prompts[name]}\n${dataRule}`, prompt: parts.filter(Boolean).join('\n') },
    ...{ shape: shapes[name] as z.ZodType<z.infer<(typeof shapes)[Name]>>, temperature: 0.2, maxTokens: 8000 },
    faultOf(value) {
      const all =
        'people' in value ? value.people.flatMap(one => one.entries) : 'asked' in value ? value.asked : value.entries
      const stranger = all.flatMap(one => one.rows).find(id => !known.has(id))
      if (stranger !== undefined) return `there is no row "${stranger}"`
      return 'people' in value ? namedIn(value.people) : undefined
    },
  }
}

// A name in an action tells whose list it is.
function namedIn(people: readonly Person[]): string | undefined {
  for (const { name, entries } of people)
    for (const { text } of entries)
      if (plainWords(name).some(word => word.length > 2 && plainWords(text).includes(word)))
        return `the action "${text}" holds the name ${name}`
}
