import type { Sample } from '../data/sample.ts'

// What one worker asks in one go.
interface Shard {
  video: string // as the data name it
  samples: string[]
}

export interface Sharding {
  free: boolean // a turn waits for the agent's own answers to the turns before it, so a conversation stays together
  together?: number // questions of a video that share a request of a model alone
  secondsEach?: number // of a question, where it was measured
}

type ShardSample = Pick<Sample, 'id' | 'video' | 'turns'>

const maxSamples = 16
const maxSeconds = 600

// Questions of one video, at most 16 or some 10 minutes of them: what a lost worker loses. What must stay together does, however
// much it is.
export function cutShards(samples: readonly ShardSample[], { free, together = 1, secondsEach = 0 }: Sharding): Shard[] {
  const most = secondsEach > 0 ? Math.min(maxSamples, Math.max(1, Math.floor(maxSeconds / secondsEach))) : maxSamples
  return [...byVideo(samples)].flatMap(([video, of]) => {
    const shards: Shard[] = []
    for (const block of free ? conversations(of) : chunks(of, together)) {
      const last = shards.at(-1)
      if (last && last.samples.length + block.length <= most) last.samples.push(...block)
      else shards.push({ video, samples: block })
    }
    return shards
  })
}

function byVideo(samples: readonly ShardSample[]): Map<string, ShardSample[]> {
  const videos = new Map<string, ShardSample[]>()
  for (const sample of samples) videos.set(sample.video, [...(videos.get(sample.video) ?? []), sample])
  return videos
}

function chunks(samples: readonly ShardSample[], size: number): string[][] {
  const count = Math.ceil(samples.length / size)
  return Array.from({ length: count }, (_, i) => samples.slice(i * size, (i + 1) * size).map(({ id }) => id))
}

// A turn belongs to the conversation of the turns before it that are samples themselves.
function conversations(samples: readonly ShardSample[]): string[][] {
  const of = new Map<string, string[]>()
  for (const { id, turns = [] } of samples) {
    const earlier = new Set(turns.flatMap(turn => (turn.id === undefined ? [] : (of.get(turn.id) ?? []))))
    const joined = [...new Set([...earlier].flatMap(one => of.get(one) ?? [])), id]
    for (const sampleId of joined) of.set(sampleId, joined)
  }
  return [...new Set(of.values())]
}
