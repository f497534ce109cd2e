// Of the words of each file in this folder; they stand in the record of a run. Raise the number if the words change.
export const promptVersions = { planner: 5, writer: 5, verifier: 4, conversation: 4, baselines: 1 } as const
