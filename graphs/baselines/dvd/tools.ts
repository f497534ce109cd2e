import { z } from 'zod'
import type { Tool } from '../../../src/core/tool.ts'
import { baselineTool } from '../baseline.ts'
import { browse } from './browse.ts'
import { searchClips } from './clips.ts'
import { inspect, mostFrames } from './inspect.ts'

const time = z.number().min(0).describe('seconds from the start of the video')

// The tools of Deep Video Discovery, by its names, over the index that is there.
export function dvdTools(): Tool[] {
  return [
    baselineTool(
      {
        name: 'global_browse',
        description: 'What the whole video is about, who and what appears in it, and what of it bears on a query.',
        kind: 'overview',
      },
      z.object({ query: z.string().min(1).describe('what the question is about') }),
      ({ query }, context) => browse(query, context),
    ),
    baselineTool(
      {
        name: 'clip_search',
        description: 'The clips whose descriptions fit an event best, in the order of time.',
        kind: 'search',
      },
      z.object({
        event_description: z.string().min(1).describe('what happens, in words'),
        top_k: z.number().int().min(1).max(50).default(16),
      }),
      ({ event_description, top_k }, context) => searchClips(event_description, top_k, context),
    ),
    baselineTool(
      {
        name: 'frame_inspect',
        description: `Shows up to ${mostFrames} frames of some spans to a vision model with a detailed question, which must be clear on its own.`,
        kind: 'look',
      },
      z.object({
        question: z.string().min(1),
        time_ranges: z
          .array(z.object({ start: time, end: time }))
          .min(1)
          .max(10),
      }),
      ({ question, time_ranges }, context) => inspect(question, time_ranges, context),
    ),
  ]
}
