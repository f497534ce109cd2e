import { z } from 'zod'

// Names that no file of a stage can have: those begin with a letter or a digit.
export const videoName = '.video.json'
export const endName = '.end.json'
export const flacEnding = '.flac'

export const EndMark = z.object({ format: z.literal(1), members: z.int(), sha256: z.string() })

// Its length depends only on the number of members.
export function endMark(sha256: string, members: number): string {
  return `${JSON.stringify({ format: 1, members, sha256 })}\n`
}
