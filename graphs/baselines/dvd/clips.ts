import { byTime, type Evidence, type Track } from '../../../src/core/evidence.ts'
import type { ToolContext, ToolResult } from '../../../src/core/tool.ts'
import type { VideoIndex } from '../../../src/core/video.ts'

// What stands for a clip: its caption and what is said in it; without captions any row.
export function clipTracks(index: VideoIndex): Track[] | undefined {
  return hasCaptions(index) ? ['caption', 'speech'] : undefined
}

export function hasCaptions(index: VideoIndex): boolean {
  return index.evidence({ tracks: ['caption'] }).length > 0
}

export const noCaptions =
  'The index has no captions of clips: what was said, read, heard and kept of pictures was searched in their place.'

export async function searchClips(query: string, k: number, context: ToolContext): Promise<ToolResult> {
  return { evidence: await clipsFor(query, k, context) }
}

export async function clipsFor(query: string, k: number, { index }: ToolContext): Promise<Evidence[]> {
  const hits = await index.search({ query: query.slice(0, 500), tracks: clipTracks(index), k })
  return hits.map(hit => hit.evidence).sort(byTime)
}
