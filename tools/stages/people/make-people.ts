import { z } from 'zod'
import { Caption } from '../../../src/core/brief.ts'
import { stamp } from '../../../src/core/evidence.ts'
import { isNumbered } from '../../../src/core/speakers.ts'
import type { StageContext, StageReader } from '../../../src/core/stage.ts'
import { Span } from '../../../src/core/time.ts'
import { rowsOf } from '../results.ts'
import { registryOf } from './registry.ts'
import { namedLines, personRows } from './rows.ts'
import type { Clip, Seen } from './seen.ts'

export async function makePeople({ video, out, result, rows, signal }: StageContext, by: string): Promise<void> {
  const all = await rows()
  const seen: Seen = {
    speech: all.filter(({ track }) => track === 'speech'),
    text: all.filter(({ track }) => track === 'text'),
    clips: await clipsOf(result('captions')),
    ...(result('faces') && { faces: await result('faces')?.json('faces.json', Faces) }),
  }
  signal.throwIfAborted()
  const registry = registryOf(seen)
  const known = new Map(all.map(row => [row.id, row]))
  const diarised = result('speakers')
  const lines = diarised ? namedLines(await rowsOf(diarised), registry) : []
  const found = personRows(registry, known).map(finding => stamp(finding, video.id, by))
  await out.json('people.json', registry)
  await out.lines('evidence.jsonl', [...lines, ...found])
  const nameless = registry.people.filter(({ names, speakers }) => names.length === 0 && speakers.some(isNumbered))
  if (nameless.length > 0) out.note(`no row gives a name to ${nameless.map(({ label }) => label).join(', ')}`)
}

const Faces = z.array(z.object({ time: z.number(), faces: z.array(z.object({ person: z.string().optional() })) }))
const ClipRecord = z.object({ span: Span, caption: Caption.pick({ people: true, objects: true }).optional() })

async function clipsOf(captions: StageReader | undefined): Promise<Clip[]> {
  if (!captions) return []
  const ids = new Map((await rowsOf(captions)).map(({ id, span }) => [`${span.start}-${span.end}`, id]))
  const records = await captions.lines('clips.jsonl', ClipRecord)
  return records.flatMap(({ span, caption }) => {
    const id = ids.get(`${span.start}-${span.end}`)
    return caption && id !== undefined ? [{ id, span, people: caption.people, objects: caption.objects }] : []
  })
}
