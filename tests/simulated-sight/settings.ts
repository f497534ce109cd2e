import { z } from 'zod'

const share = z.number().min(0).max(1)

export const SightSettings = z.strictObject({
  truth: z
    .string()
    .min(1)
    .describe('folder with the NAME.script.json of the videos that longtake rendered; it can tell of no others'),
  misses: share.default(0).describe('share of what its frames show that it does not see'),
  confusions: share
    .default(0)
    .describe('share of the colours, props, actions, places and people that it takes for others'),
  inventions: share.default(0).describe('share of the scenes of a reply to which it adds a detail that is not there'),
  smallest: share
    .default(0.001)
    .describe('what takes up less than this share of its picture is not seen; on a sheet of frames less is seen'),
  seed: z.number().int().default(1).describe('of its errors'),
})
export type SightSettings = z.infer<typeof SightSettings>
