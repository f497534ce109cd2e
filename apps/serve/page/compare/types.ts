import type { ReplyTo } from '../api.ts'

export type ComparedRuns = ReplyTo<'GET /compare'>
export type ComparedLine = NonNullable<ComparedRuns['steps'][number]['a']>
