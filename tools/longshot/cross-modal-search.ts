import { z } from 'zod'
import type { Track } from '../../src/core/evidence.ts'
import { defineTool } from '../define.ts'
import search from '../search.ts'

const tracksOf = {
  speech: ['speech'],
  audio: ['speech', 'sound'],
  text: ['text'],
  visual: ['picture', 'text'],
} satisfies Record<string, Track[]>
type Modality = keyof typeof tracksOf

const modalityOf: Partial<Record<Track, Modality>> = {
  speech: 'speech',
  sound: 'audio',
  text: 'text',
  picture: 'visual',
}

// Other words that models use for these.
const otherNames: Record<string, Modality[]> = {
  transcript: ['speech'],
  asr: ['speech'],
  sound: ['audio'],
  ocr: ['text'],
  image: ['visual'],
  frame: ['visual'],
  picture: ['visual'],
  video: ['visual'],
  all: ['speech', 'audio', 'text', 'visual'],
}

export default defineTool({
  name: 'cross_modal_search',
  description:
    'Finds where something occurs in the video, whatever it occurs in: what is said, heard, written on screen or seen. Best matches first, each with its time.',
  kind: 'search',
  input: z.object({
    query: z.string().min(1).describe('key words, not a whole sentence'),
    modalities: z
      .preprocess(asModalities, z.array(z.enum(['speech', 'audio', 'text', 'visual'])).min(1))
      .describe('where to look: speech (what is said), audio (all that is heard), text (on screen), visual'),
    k: z.number().int().min(1).max(50).default(5).describe('how many moments'),
  }),
  arguments: ({ query, tracks, k }) => ({
    query,
    modalities: tracks?.flatMap(track => modalityOf[track] ?? []) ?? Object.keys(tracksOf),
    k,
  }),
  run: ({ query, modalities, k }, context) =>
    search.run({ query, tracks: [...new Set(modalities.flatMap(name => tracksOf[name]))], k }, context),
})

function asModalities(value: unknown): unknown {
  const list = typeof value === 'string' ? value.split(/[\s,;|[\]"']+/).filter(Boolean) : value
  if (!Array.isArray(list)) return list
  return [...new Set(list.flatMap(one => meant(one)))]
}

function meant(name: unknown): unknown[] {
  const word = String(name).toLowerCase().replace(/s$/, '')
  return (Object.hasOwn(otherNames, word) && otherNames[word]) || [word]
}
