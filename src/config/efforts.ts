import type { Tree } from './tree.ts'

export const effortNames = ['low', 'medium', 'high', 'max'] as const
export type Effort = (typeof effortNames)[number]

const described: Tree = { captions: { mode: 'shots' } }
const writtenOverview: Tree = { overview: 'written' }

interface EffortSet {
  values: Tree
  describes?: true // captions if a model sees, a written overview if a language model writes
}

// What `effort` stands for; whatever is set by itself wins over it. medium: the defaults.
const efforts: Record<Effort, EffortSet> = {
  low: {
    values: {
      budget: { steps: 4, tokens: 60_000, frames: 96, seconds: 120 },
      policy: { verifier: false, singlePassFrames: 32 },
    },
  },
  medium: { values: {} },
  high: {
    describes: true,
    values: {
      budget: { steps: 16, tokens: 400_000, frames: 512, seconds: 900 },
      policy: { singlePassFrames: 256 },
    },
  },
  max: {
    describes: true,
    values: {
      index: { level: 'thorough' },
      budget: { steps: 24, tokens: 1_000_000, frames: 1024, seconds: 1800 },
      policy: { singlePassFrames: 512, votes: true },
    },
  },
}

// The settings of an effort over these roles.
export function effortSettings(effort: Effort, { sees, writes }: { sees: boolean; writes: boolean }): Tree {
  const { values, describes } = efforts[effort]
  if (!describes) return values
  const indexSettings = values.index as Tree | undefined
  return { ...values, index: { ...indexSettings, ...(sees && described), ...(writes && writtenOverview) } }
}
