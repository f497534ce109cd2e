import type { StageMeta } from '../../core/stage.ts'
import type { Known } from './plan-video.ts'

// What the catalogue says of one video, as it travels to who plans or makes it.
export interface KnownRows {
  results: { stage: string; key: string; files?: StageMeta['files'] }[] // files: of the subtitles, which decide about the speech
  failures: { stage: string; key: string; kind: string; message: string }[]
}

// Kinds of failures that cost one track and no other: as where it is indexed on one machine, what something outside has broken.
const trackKinds = ['backend', 'poison']

export function knownOf({ results, failures }: KnownRows): Known {
  const name = (stage: string, key: string) => `${stage} ${key}`
  const there = new Set(results.map(({ stage, key }) => name(stage, key)))
  const failed = new Map(failures.map(failure => [name(failure.stage, failure.key), failure]))
  return {
    finished: (stage, key) => there.has(name(stage, key)),
    failure(stage, key) {
      const found = failed.get(name(stage, key))
      return found && { why: found.message, leavesOut: trackKinds.includes(found.kind) }
    },
  }
}

export function subtitlesOf({ results }: KnownRows) {
  return (stage: string, key: string) => {
    const found = results.find(one => one.stage === stage && one.key === key)
    return found && { files: found.files ?? {} }
  }
}
