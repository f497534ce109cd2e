import { type Evidence, stamp } from '../core/evidence.ts'
import { contentHash } from '../core/hash.ts'
import type { Memory, Permission, Services, ToolContext } from '../core/tool.ts'
import type { AudioSource, VideoIndex } from '../core/video.ts'
import { soundOf } from '../media/audio.ts'
import { framesAt } from '../media/frames.ts'
import type { Models } from './models.ts'

// What the tools of one question may touch: the video, its index, the models of the profile, and nothing else.
export function toolContext(
  index: VideoIndex,
  models: Models,
  permissions: ReadonlySet<Permission>,
  signal: AbortSignal,
): ToolContext {
  const noted = new Map<string, Evidence>()
  let sound: Promise<AudioSource | undefined> | undefined
  return {
    video: index.video,
    index,
    services: services(models),
    frames: (times, width) => framesAt(index.video, times, { width }, signal),
    audio: () => {
      sound ??= index.audio().then(found => found ?? (index.video.sound ? soundOf(index.video) : undefined))
      return sound
    },
    evidence: id => noted.get(id) ?? index.byId(id),
    note: (finding, by) => {
      const row = stamp(finding, index.video.id, by)
      noted.set(row.id, row)
      return row
    },
    permissions,
    memory: memory(),
    spend: () => {},
    signal,
  }
}

function services(models: Models): Services {
  return {
    retranscribe: () => models.open('retranscribe'),
    readText: () => models.open('readText'),
    hear: () => models.open('hear'),
    listen: () => models.open('listen'),
    vision: () => models.open('vision'),
    writer: () => models.open('writer'),
    verifier: () => models.open('verifier'),
    embedImage: () => models.open('embedImage'),
    rerank: () => models.open('rerank'),
    detect: () => models.open('detect'),
    faces: () => models.open('faces'),
  }
}

// Notes of one run, each with where it came from.
function memory(): Memory {
  const notes = new Map<string, { id: string; text: string; source: string }>()
  return {
    add(text, source) {
      const id = `m${contentHash([text, source]).slice(0, 8)}`
      notes.set(id, { id, text, source })
      return id
    },
    remove: id => notes.delete(id),
    search(query) {
      const words = query.toLowerCase().split(/\W+/).filter(Boolean)
      return [...notes.values()].filter(note => words.some(word => note.text.toLowerCase().includes(word)))
    },
  }
}
