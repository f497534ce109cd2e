import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import type { ToolContext, ToolResult } from '../../src/core/tool.ts'
import { defineTool } from '../define.ts'

const maxLength = 2000 // characters of one note
const maxNotes = 200

export default defineTool({
  name: 'memory_tool',
  description:
    'A notebook for this run. add: keep a note; name the ids of the rows it rests on. search: find notes by words. delete: by the id of the note. A note without ids is a claim of yours, not evidence of the video.',
  kind: 'memory',
  input: z.object({
    func: z.enum(['add', 'delete', 'search']).describe('what to do'),
    data: z
      .preprocess(asText, z.string().min(1))
      .describe('the note; or the words to find; or the id of the note to delete'),
  }),
  varies: true,
  async run({ func, data }, context): Promise<ToolResult> {
    if (func === 'add') return added(data, context)
    if (func === 'search') return searchNotes(data, context)
    const id = /\bm[0-9a-f]{8}\b/.exec(data)?.[0] ?? data.trim()
    if (context.memory.remove(id)) return { evidence: [], text: `success: ${id} is deleted.`, outcome: 'found' }
    throw new UsageError(`There is no note "${data.slice(0, 60)}".`, { hint: 'Find its id with func "search".' })
  },
})

// Each note says where it comes from: the round that made it, and the rows of this video that it rests on.
function added(data: string, context: ToolContext): ToolResult {
  if (data.length > maxLength)
    throw new UsageError(`The note is ${data.length} characters long; the limit is ${maxLength}.`, {
      hint: 'Shorten it.',
    })
  if (context.memory.search('').length >= maxNotes)
    throw new UsageError(`There are ${maxNotes} notes already.`, { hint: 'Delete some first.' })
  const rows = rowsNamed(data, context)
  const rests = restsOn(rows.map(row => row.id))
  const id = context.memory.add(data, noteSource(context.round, rests))
  return { evidence: rows, text: `success: kept as ${id} (${rests}).`, outcome: 'found' }
}

// "memory_tool, round 2; rests on t0123456789".
export function noteSource(round: number | undefined, rests: string): string {
  return `memory_tool${round === undefined ? '' : `, round ${round + 1}`}; ${rests}`
}

export function restsOn(ids: readonly string[]): string {
  return ids.length > 0 ? `rests on ${ids.join(' ')}` : 'a claim: rests on no row'
}

function searchNotes(query: string, context: ToolContext): ToolResult {
  const notes = context.memory.search(query)
  if (notes.length === 0) return { evidence: [], text: `success: no note holds these words.`, outcome: 'nothing' }
  const rows = notes.flatMap(note => rowsNamed(note.text, context))
  const lines = notes.map(note => `${note.id}: ${note.text.replace(/\s+/g, ' ')} (${note.source})`)
  return {
    evidence: [...new Map(rows.map(row => [row.id, row])).values()],
    text: `success:\n${lines.join('\n')}`,
    outcome: 'found',
  }
}

// Ids that this run knows; what only looks like one is not a provenance.
export function rowsNamed(text: string, context: Pick<ToolContext, 'evidence'>): Evidence[] {
  const ids = new Set(text.match(/\b[a-z][0-9a-f]{10}\b/g) ?? [])
  return [...ids].map(id => context.evidence(id)).filter(row => row !== undefined)
}

function asText(value: unknown): unknown {
  if (typeof value === 'string' || value === undefined || value === null) return value
  return JSON.stringify(value)
}
