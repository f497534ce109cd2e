import type { RunReply } from './types.ts'

interface RunVideo {
  id: string
  name: string
  duration: number
}

// The video that a question was about, as the run noted it when it began.
export function recordedVideo({ environment: { video } }: Pick<RunReply, 'environment'>): RunVideo | undefined {
  return isVideo(video) ? video : undefined
}

function isVideo(value: unknown): value is RunVideo {
  if (typeof value !== 'object' || value === null) return false
  const { id, name, duration } = value as Record<string, unknown>
  return typeof id === 'string' && typeof name === 'string' && typeof duration === 'number'
}
