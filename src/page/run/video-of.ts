import type { Run } from './types.ts'

interface RunVideo {
  id: string
  name: string
  duration: number
}

// The video that a question was about, as the run noted it when it began.
export function videoOf({ environment: { video } }: Pick<Run, 'environment'>): RunVideo | undefined {
  return isVideo(video) ? video : undefined
}

function isVideo(value: unknown): value is RunVideo {
  if (typeof value !== 'object' || value === null) return false
  const { id, name, duration } = value as Record<string, unknown>
  return typeof id === 'string' && typeof name === 'string' && typeof duration === 'number'
}
