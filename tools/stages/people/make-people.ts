import { z } from 'zod'
import { Caption } from '../../../src/core/brief.ts'
import { stamp } from '../../../src/core/evidence.ts'
import { isNumbered } from '../../../src/core/speakers.ts'
import type { StageContext, StageReader } from '../../../src/core/stage.ts'
import { readStageRows, shotList } from '../results.ts'
import type { PeopleClip, PeopleView } from './people-view.ts'
import { buildRegistry } from './registry.ts'
import { namedLines, personRows, renamed } from './rows.ts'

export async function makePeople(
  { video, out, results: { result, rows }, signal }: StageContext,
  by: string,
): Promise<void> {
  const all = await rows()
  const decode = result('decode')
  const seen: PeopleView = {
    speech: all.filter(({ track }) => track === 'speech'),
    text: all.filter(({ track }) => track === 'text'),
    clips: await readCaptionClips(result('captions')),
    ...(decode && { cuts: (await shotList(decode)).slice(1).map(({ start }) => start) }),
    ...(result('faces') && { faces: await result('faces')?.json('faces.json', Faces) }),
  }
  signal.throwIfAborted()
  const registry = buildRegistry(seen)
  const rowsById = new Map(all.map(row => [row.id, row]))
  const diarised = result('speakers')
  const lines = diarised ? namedLines(await readStageRows(diarised), registry) : renamed(seen.speech, registry)
  const people = personRows(registry, rowsById).map(finding => stamp(finding, video.id, by))
  await out.json('people.json', registry)
  await out.lines('evidence.jsonl', [...lines, ...people])
  const nameless = registry.people.filter(({ names, speakers }) => names.length === 0 && speakers.some(isNumbered))
  if (nameless.length > 0) out.note(`no row gives a name to ${nameless.map(({ label }) => label).join(', ')}`)
}

const Faces = z.array(z.object({ time: z.number(), faces: z.array(z.object({ person: z.string().optional() })) }))
const ClipRecord = z.object({ caption: Caption.pick({ people: true, objects: true }).strip().optional() })

// Each clip that has a caption has a row, in the same order.
async function readCaptionClips(captions: StageReader | undefined): Promise<PeopleClip[]> {
  if (!captions) return []
  const rows = await readStageRows(captions)
  const captioned = (await captions.lines('clips.jsonl', ClipRecord)).flatMap(({ caption }) => caption ?? [])
  return rows.flatMap(({ id, span }, at) => {
    const caption = captioned[at]
    return caption ? [{ id, span, people: caption.people, objects: caption.objects }] : []
  })
}
