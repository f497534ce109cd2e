// How closely a video is looked at: the values that `index.level` stands for. Each can be set by itself too.
export const levels = {
  thorough: { stillsPerSecond: 4, stillWidth: 1920 },
  balanced: { stillsPerSecond: 2, stillWidth: 1280 },
  quick: { stillsPerSecond: 1, stillWidth: 854 },
} as const

export type Level = keyof typeof levels
export const levelNames = Object.keys(levels) as Level[]
export const defaultLevel: Level = 'balanced'
