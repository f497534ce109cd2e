import type { ReplyTo } from '../api.ts'

export type RunComparison = ReplyTo<'GET /compare'>
export type ComparedLine = NonNullable<RunComparison['steps'][number]['a']>
