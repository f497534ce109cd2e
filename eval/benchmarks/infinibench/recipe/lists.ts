import { z } from 'zod'
import { dataRule, fence } from '../../../../src/core/words/fence.ts'
import { cropFrame, decodeImage, encodeJpeg } from '../../../../src/media/image.ts'
import { writtenBy } from '../../../recipes/author.ts'
import { readItemPictures } from '../../../recipes/checks/parts/pictures.ts'
import { plainWords } from '../../../recipes/checks/parts/words.ts'
import { type ItemInterval, type ItemSighting, type SourceRecord, sightRoles } from '../../../recipes/item.ts'
import type { MakeStage } from '../../../recipes/recipe.ts'
import { collectFacts, secondsApart } from '../../../recipes/rules/facts.ts'
import { rowIds, sourceText } from '../../../recipes/texts.ts'
import { writingStage } from '../../../recipes/writing-stage.ts'
import texts from './prompts.json' with { type: 'json' }

// One entry of an ordered list, with the rows that tell it.
export interface Entry {
  text: string
  rows: string[]
  from?: number // seconds: where an outfit is first seen
}

export interface ListedPerson {
  name: string
  entries: Entry[]
  appears?: ItemInterval[] // where their outfits were seen
}

interface Written {
  entries?: Entry[] // events and places
  people?: ListedPerson[] // actions, and outfits
  asked?: { question: string; answer: string; rows: string[] }[] // deep and linking
}
export type ListEntry = Written & { list: keyof typeof texts }

export const most = { people: 12, open: 20 } // of one reply

const { outfits: outfitPrompt, ...prompts } = texts
const rows = z.array(z.string()).min(1).max(40)
const entries = z.array(z.strictObject({ text: z.string().min(3), rows })).max(200)
const listed = z.strictObject({ entries })
const replyShape = z.strictObject({
  asked: z.array(z.strictObject({ question: z.string().min(8), answer: z.string().min(1), rows })).max(most.open),
})
const shapes: Record<keyof typeof prompts, z.ZodType<Written>> = {
  events: listed,
  places: listed,
  actions: z.strictObject({ people: z.array(z.strictObject({ name: z.string().min(1), entries })).max(most.people) }),
  deep: replyShape,
  linking: replyShape,
}

// What questions are made from, each list by one request. By rules: titles in the order in which they stand on the screen.
export const writeLists: MakeStage<unknown, ListEntry> = {
  name: 'lists',
  version: '1',
  prompts,
  units: ({ video_id }, { author }) => {
    const listNames = 'model' in author ? Object.keys(shapes) : ['events', 'places']
    return listNames.map(input => ({ unit: `${video_id}/${input}`, input }))
  },
  calls: (_, author) => Number('model' in author),
  async make({ unit, input }, { record, author, prompts }) {
    const list = input as keyof typeof shapes
    if (!('model' in author)) return titlesIn(record, list)
    const authorRequest = {
      unit,
      name: list,
      system: `${prompts[list]}\n${dataRule}`,
      prompt: listTexts(record, list).join('\n'),
      shape: shapes[list],
      temperature: 0.2,
      maxTokens: 8000,
      faultOf: (value: Written) => strangeRow(value, rowIds(record)) ?? nameInAction(value),
    }
    return writtenBy(author, authorRequest, value => ({ list, ...value }))
  },
}

function titlesIn(record: SourceRecord, list: keyof typeof shapes) {
  const { shown, slides } = collectFacts(record)
  const entries = secondsApart(list === 'events' ? shown : slides).map(({ title, row }) => ({
    text: list === 'events' ? `the title "${title}" appears` : title,
    rows: [row],
  }))
  if (entries.length < 2) return { none: 'fewer than two titles stand on the screen for certain' }
  return { output: { list, entries } }
}

function listTexts(record: SourceRecord, list: keyof typeof shapes): string[] {
  const { summary } = record.meta
  const film = fence('film', sourceText(record))
  if (summary === undefined || list === 'events' || list === 'places') return [film]
  return [fence('summary', `about.summary: ${summary}`), ...(list === 'linking' ? [] : [film])]
}

function strangeRow({ entries = [], people = [], asked = [] }: Written, known: ReadonlySet<string>) {
  const all = [...entries, ...people.flatMap(one => one.entries), ...asked].flatMap(one => one.rows)
  const stranger = all.find(id => !known.has(id))
  return stranger === undefined ? undefined : `there is no row "${stranger}"`
}

// It would tell whose list it is.
function nameInAction({ people = [] }: Written): string | undefined {
  for (const { name, entries } of people)
    for (const { text } of entries)
      if (plainWords(name).some(word => word.length > 2 && plainWords(text).includes(word)))
        return `the action "${text}" holds the name ${name}`
}

const maxPictures = 24

const Outfits = z.strictObject({
  outfits: z.array(z.strictObject({ outfit: z.string().min(3).max(160), picture: z.int().min(1) })).min(1),
})

// What each person wears, in order, and from when: a model that sees names it from the crops, and is not told who it is.
export const outfitStage: MakeStage<unknown, ListEntry> = {
  ...writingStage<unknown, ItemSighting, z.infer<typeof Outfits>, ListEntry>({
    name: 'outfits',
    version: '1',
    role: 'look',
    words: [outfitPrompt],
    shape: Outfits,
    temperature: 0.2,
    maxTokens: 2000,
    most: (_, { sightings }) => sightings?.people.length ?? 0,
    inputs({ video_id, sightings }) {
      const seen = sightings?.people.filter(({ looks }) => looks.length > 0) ?? []
      return seen.map((input, at) => ({ unit: `${video_id}/outfits${at + 1}`, input }))
    },
    async shown(person, { record, frames }) {
      const looks = sampleLooks(person)
      const crops = async (times: readonly number[]) => {
        const whole = await Promise.all((await frames(times, 'whole')).map(jpeg => decodeImage(jpeg)))
        return Promise.all(looks.map(({ box }, at) => encodeJpeg(cropFrame(whole[at]!, box))))
      }
      const times = looks.map(({ time }) => time)
      return { pictures: await readItemPictures(record, times, crops) }
    },
    text: person => [`There are ${sampleLooks(person).length} pictures.`],
    faultOf: (value, person) => wrongOrder(value, sampleLooks(person).length),
    outputOf({ outfits }, person) {
      const { name, appears } = person
      const from = (picture: number) => sampleLooks(person)[picture - 1]?.time ?? 0
      const entries = outfits.map(({ outfit, picture }) => ({ text: outfit, rows: [], from: from(picture) }))
      return { list: 'outfits', people: [{ name, entries, appears }] }
    },
  }),
  lacks: ({ sightings }) =>
    sightRoles.filter(role => sightings?.by[role] === 'off').map(role => `models.${role} is off`),
}

function sampleLooks({ looks }: ItemSighting): ItemSighting['looks'] {
  const every = Math.max(1, looks.length / maxPictures)
  return looks.filter((_, at) => Math.floor(at / every) > Math.floor((at - 1) / every))
}

// Each begins at a later picture than the one before, and is another.
function wrongOrder({ outfits }: z.infer<typeof Outfits>, pictures: number): string | undefined {
  for (const [at, { outfit, picture }] of outfits.entries()) {
    const before = outfits[at - 1]
    if (picture > pictures) return `there is no picture ${picture}, only ${pictures}`
    if (before && picture <= before.picture) return `picture ${picture} comes after picture ${before.picture}`
    if (before && plainWords(before.outfit).join() === plainWords(outfit).join())
      return `"${outfit}" is named twice in a row`
  }
}
