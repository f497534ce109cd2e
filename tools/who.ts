import { z } from 'zod'
import type { Evidence } from '../src/core/evidence.ts'
import { type People, type Person, peopleMeant, personLine } from '../src/core/people.ts'
import { formatSpan, type Span, touches } from '../src/core/time.ts'
import type { VideoIndex } from '../src/core/video.ts'
import { defineTool } from './define.ts'
import { endInput, inputSpan, startInput } from './inputs.ts'

export default defineTool({
  name: 'who',
  description:
    'Who speaks and appears: by a name, when that person does and what says that it is the name; without one, who does in a span or in the whole video, and what things recur. A name that is not bound to a voice by what is said or shown is not in it: search for the name then.',
  input: z.object({
    name: z.string().min(1).optional().describe('a name, or "speaker 2"'),
    start: startInput.optional(),
    end: endInput.optional(),
    k: z.number().int().min(1).max(200).default(20).describe('how many rows'),
  }),
  offered: index => index.people !== undefined,
  async run({ name, k, ...times }, { index }) {
    const { people } = index
    if (!people) return { evidence: [], text: 'Who is who is not known: no voices, faces or captions are indexed.' }
    const span = inputSpan(times, index.video.duration)
    const meant = name === undefined ? people.people : peopleMeant(name, people)
    if (name !== undefined && meant.length === 0) return { evidence: [], text: nobody(name, people) }
    const there = meant.filter(person => person.spans.some(one => touches(one, span)))
    const lines = there.map(person => `${personLine(person)}; ${whenIn(person, span)}`)
    const several = name !== undefined && meant.length > 1 ? [`${meant.length} are called "${name}", kept apart.`] : []
    const away =
      there.length === 0 ? [`Nobody${name === undefined ? '' : ` called "${name}"`} is known to be there.`] : []
    const things = name === undefined ? recurringIn(people, span) : []
    return {
      evidence: listRows(there, index, span).slice(0, k),
      text: [...several, ...away, ...lines, ...things].join('\n'),
    }
  },
})

function nobody(name: string, { people }: People): string {
  const knownNames = people.map(({ label }) => label).join(', ')
  return `Nobody is known to be called "${name}"${knownNames ? `; known are ${knownNames}` : ''}. Search for the name: it may be said of somebody.`
}

function whenIn({ spans }: Person, span: Span): string {
  const within = spans.filter(one => touches(one, span))
  const spanTexts = within.slice(0, 12).map(one => `${one.what} ${formatSpan(one)}`)
  return within.length > spanTexts.length
    ? `${spanTexts.join(', ')} and ${within.length - spanTexts.length} more`
    : spanTexts.join(', ')
}

function recurringIn({ things, looks }: People, span: Span): string[] {
  const there = (list: People['things']) => list.filter(({ spans }) => spans.some(one => touches(one, span)))
  const listThings = (list: People['things']) =>
    list.slice(0, 10).map(({ text, spans }) => `${text} ${spans.slice(0, 4).map(formatSpan).join(' ')}`)
  const described = listThings(there(looks))
  const recurring = listThings(there(things))
  return [
    ...(described.length > 0
      ? [`Described alike in several scenes, perhaps not the same person: ${described.join('; ')}`]
      : []),
    ...(recurring.length > 0 ? [`Recurring things: ${recurring.join('; ')}`] : []),
  ]
}

// What says who they are first, then where they speak and appear, then what they say.
function listRows(people: readonly Person[], index: VideoIndex, span: Span): Evidence[] {
  const labels = new Set(people.map(({ label }) => label))
  const naming = people.flatMap(({ names }) => names.flatMap(({ evidence }) => evidence.slice(0, 3)))
  const inSpan = index.evidence({ tracks: ['person'], span })
  const theirs = inSpan.filter(({ text }) =>
    [...labels].some(label => text === `${label} speaks` || text === `${label} appears`),
  )
  const spoken = index.evidence({ tracks: ['speech'], span }).filter(row => row.speaker && labels.has(row.speaker))
  const rows = [...naming.flatMap(id => index.byId(id) ?? []), ...theirs, ...spoken]
  return [...new Map(rows.map(row => [row.id, row])).values()]
}
