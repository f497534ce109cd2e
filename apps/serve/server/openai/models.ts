import type { VideoState } from '../../../../src/core/api/video.ts'
import type { Video } from '../../../../src/core/video.ts'
import { ModelError } from './errors.ts'

const agent = 'longtake'
const prefix = `${agent}/`

interface Model {
  id: string
  object: 'model'
  created: number
  owned_by: string
  name: string // what a menu shows
}

// The agent, and the agent on each video that has an index.
export function listModels(videos: readonly { video: Video; state: VideoState }[]): Model[] {
  const ready = videos.filter(({ state }) => state === 'ready' || state === 'partial').map(({ video }) => video)
  const names = new Map<string, number>()
  for (const { name } of videos.map(({ video }) => video)) names.set(name, (names.get(name) ?? 0) + 1)
  const videoModels = ready.map(({ id, name }) => model(`${prefix}${names.get(name) === 1 ? name : id}`, name))
  return [model(agent, agent), ...videoModels]
}

function model(id: string, name: string): Model {
  return { id, object: 'model', created: 0, owned_by: agent, name }
}

// The video that the name of a model names, if it names one. Programs that look for "video-agent" in it mean the agent.
export function videoOfModel(name: string): string | undefined {
  if (name === agent || name.includes('video-agent')) return undefined
  if (name.startsWith(prefix) && name.length > prefix.length) return name.slice(prefix.length)
  throw new ModelError(404, 'model_not_found', `There is no model ${JSON.stringify(name)}.`, {
    param: 'model',
    hint: 'Use "longtake", or "longtake/" and the name of a video; GET /v1/models lists them.',
  })
}
