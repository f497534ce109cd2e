import type { ReplyTo } from '../api.ts'

export type Comparison = ReplyTo<'GET /compare'>
export type ComparedLine = NonNullable<Comparison['steps'][number]['a']>
