// How much of the picture is decoded: every frame in full; every frame, those that no other builds on a little rougher; or keyframes.
export const levelNames = ['thorough', 'balanced', 'quick'] as const
export type Level = (typeof levelNames)[number]
export const defaultLevel: Level = 'balanced'

// How many frames are considered, and how large they are kept: what `index.stills` stands for. Each can be set by itself too.
export const stillSets = {
  many: { stillsPerSecond: 4, stillWidth: 1920 },
  usual: { stillsPerSecond: 2, stillWidth: 1280 },
  few: { stillsPerSecond: 1, stillWidth: 854 },
} as const

export type StillSet = keyof typeof stillSets
export const stillSetNames = Object.keys(stillSets) as StillSet[]
export const defaultStills: StillSet = 'usual'
